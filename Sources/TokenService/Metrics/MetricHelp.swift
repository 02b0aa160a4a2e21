/// The help text of each metric, by its name.
enum MetricHelp {
    static let texts = [
        "fleet_token_audit_write_total": "Audit lines and failed checks of the trail, by destination and result.",
        "fleet_token_build_info": "The running version; always 1.",
        "fleet_token_clock_timestamp_seconds": "The replica's clock when the page was written, in Unix time.",
        "fleet_token_config_last_reload_successful": "1 if the last load of the configuration succeeded, otherwise 0.",
        "fleet_token_config_reload_total": "Reloads of the configuration and its files, by result.",
        "fleet_token_connections": "Open connections on the public listener.",
        "fleet_token_connections_refused_total":
            "Connections refused because there were too many, in all or of an address.",
        "fleet_token_credential_not_after_timestamp_seconds":
            "Unix time at which the next credential of a setting expires; if all have expired, at which the last one did.",
        "fleet_token_jwks_last_success_timestamp_seconds":
            "Unix time of the last fetch of the keys of a caller's issuer; 0 before the first.",
        "fleet_token_key_info": "The keys that sign tokens of each kind; always 1.",
        "fleet_token_ready": "1 while /readyz returns 200, otherwise 0.",
        "fleet_token_requests_total": "Requests for tokens, by kind, result, error reason and caller.",
        "fleet_token_sign_duration_seconds":
            "Time from a signature's turn to its result, including the wait for a thread.",
        "fleet_token_sign_queue_seconds": "Time that a signature waits for its turn.",
        "fleet_token_webhook_duration_seconds": "Duration of webhook calls, by webhook and result.",
        "http_server_request_duration_seconds":
            "Time from the arrival of a request's head until its response can be sent.",
        "process_cpu_seconds_total": "User and system CPU time spent, in seconds.",
        "process_max_fds": "Maximum number of open file descriptors.",
        "process_open_fds": "Number of open file descriptors.",
        "process_resident_memory_bytes": "Resident memory size in bytes.",
        "process_start_time_seconds": "Start time of the process, in Unix time.",
    ]
}
