# bash completion of desk, made by: desk completion bash
_desk() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} how=
    [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}
    [[ $cur == = ]] && cur=
    case "${COMP_WORDS[1]} $prev $cur" in
    'serve --addr '*) how='' ;;
    'serve --level '*) how='-W debug info warn' ;;
    'serve --data '*) how='-d' ;;
    'serve --key '*) how='-f' ;;
    'serve --pages '*) how='' ;;
    'serve --old '*) how='' ;;
    'serve '*' -'*) how='-W --help --addr --level --data --key --pages --quiet --old' ;;
    'init '*' -'*) how='-W --help' ;;
    'init '*) how='-d' ;;
    'read --shape '*) how='-W json text' ;;
    'read '*' -'*) how='-W --help --shape' ;;
    'read '*) how='-f' ;;
    esac
    ((COMP_CWORD > 1)) || how='-W --help serve init read'
    case $how in
    -W*) COMPREPLY=($(compgen -W "${how#-W}" -- "$cur")) ;;
    *)  local IFS=$'\n'
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen $how -- "$cur")) ;;
    esac
}
complete -F _desk desk
