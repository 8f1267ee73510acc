# fish completion of desk, made by: desk completion fish
function __desk_is; set -l words (commandline -opc); test "$words[2]" = "$argv[1]"; end
complete -c desk -f
complete -c desk -n __desk_is -l help -d 'Show help.'
complete -c desk -n __desk_is -a serve -d 'Run it.'
complete -c desk -n '__desk_is serve' -l help -d 'Show context-sensitive help.'
complete -c desk -n '__desk_is serve' -l addr -d 'Where to listen: any [host].' -x
complete -c desk -n '__desk_is serve' -l level -d 'How much it'\''s telling. Default: little.' -x -a 'debug info warn'
complete -c desk -n '__desk_is serve' -l data -d 'Folder.' -x -a '(__fish_complete_directories)'
complete -c desk -n '__desk_is serve' -l key -d 'Key.' -r -F
complete -c desk -n '__desk_is serve' -l pages -d 'Pages.' -x
complete -c desk -n '__desk_is serve' -l quiet -d 'Say nothing.'
complete -c desk -n '__desk_is serve' -l old -d 'Listed elsewhere.' -x
complete -c desk -n __desk_is -a init -d 'Begin: here.'
complete -c desk -n '__desk_is init' -l help -d 'Show context-sensitive help.'
complete -c desk -n '__desk_is init' -x -a '(__fish_complete_directories)'
complete -c desk -n __desk_is -a read -d 'Read it.'
complete -c desk -n '__desk_is read' -l help -d 'Show context-sensitive help.'
complete -c desk -n '__desk_is read' -l shape -d 'Shape.' -x -a 'json text'
complete -c desk -n '__desk_is read' -r -F
