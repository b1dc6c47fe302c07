#compdef dispersion_lab
# Completion of dispersion_lab for zsh: the program itself knows what may follow.
local -a found
local line
for line in "${(@f)$(${words[1]} --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
  [[ -n $line ]] && found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
done
if (($#found)); then
  _describe -o 'dispersion_lab' found
else
  _files
fi
