# Completion of dispersion_lab for bash: the program itself knows what may follow.
_dispersion_lab() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("${line%%$'\t'*}")
  done < <("$1" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _dispersion_lab dispersion_lab
