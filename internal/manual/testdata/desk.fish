# fish completion of desk, made by: desk completion fish
function __desk_command_is
    set -l words (commandline -opc)
    test "$words[2]" = "$argv[1]"
end
complete -c desk -f
complete -c desk -n '__desk_command_is' -l help -d 'Show help.'
complete -c desk -n '__desk_command_is' -a serve -d 'Run it.'
complete -c desk -n '__desk_command_is serve' -l help -d 'Show context-sensitive help.'
complete -c desk -n '__desk_command_is serve' -l addr -x -d 'Where to listen: any [host].'
complete -c desk -n '__desk_command_is serve' -l level -x -a 'debug info warn' -d 'How much it\'s telling. Default: little.'
complete -c desk -n '__desk_command_is serve' -l data -x -a '(__fish_complete_directories)' -d 'Folder.'
complete -c desk -n '__desk_command_is serve' -l key -r -F -d 'Key.'
complete -c desk -n '__desk_command_is serve' -l pages -x -d 'Pages.'
complete -c desk -n '__desk_command_is serve' -l quiet -d 'Say nothing.'
complete -c desk -n '__desk_command_is serve' -l old -x -d 'Listed elsewhere.'
complete -c desk -n '__desk_command_is' -a init -d 'Begin: here.'
complete -c desk -n '__desk_command_is init' -l help -d 'Show context-sensitive help.'
complete -c desk -n '__desk_command_is init' -a '(__fish_complete_directories)'
complete -c desk -n '__desk_command_is' -a read -d 'Read it.'
complete -c desk -n '__desk_command_is read' -l help -d 'Show context-sensitive help.'
complete -c desk -n '__desk_command_is read' -l shape -x -a 'json text' -d 'Shape.'
complete -c desk -n '__desk_command_is read' -F
