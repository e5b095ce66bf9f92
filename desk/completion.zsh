# Completes ./grade.sh in zsh: `. desk/completion.zsh`, at the prompt or in ~/.zshrc, after compinit. It is bash's
# completion, which zsh can run.
autoload -Uz bashcompinit && bashcompinit
. "${${(%):-%x}:A:h}/completion.bash"
