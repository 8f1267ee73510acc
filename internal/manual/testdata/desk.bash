# bash completion of desk, made by: desk completion bash
_desk_words() { COMPREPLY=($(compgen -W "$*" -- "$cur")); }
_desk_paths() {
    local IFS=$'\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen "$1" -- "$cur"))
}
_desk() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if ((COMP_CWORD == 1)); then
        _desk_words --help serve init read
        return
    fi
    case ${COMP_WORDS[1]} in
    serve)
        case $prev in
        --addr) return ;;
        --level) _desk_words debug info warn; return ;;
        --data) _desk_paths -d; return ;;
        --key) _desk_paths -f; return ;;
        --pages) return ;;
        --old) return ;;
        esac
        case $cur in
        -*) _desk_words --help --addr --level --data --key --pages --quiet --old ;;
        esac
        ;;
    init)
        case $prev in
        esac
        case $cur in
        -*) _desk_words --help ;;
        *) _desk_paths -d; ;;
        esac
        ;;
    read)
        case $prev in
        --shape) _desk_words json text; return ;;
        esac
        case $cur in
        -*) _desk_words --help --shape ;;
        *) _desk_paths -f; ;;
        esac
        ;;
    esac
}
complete -F _desk desk
