extension Fault {
    /// Faults that are often wanted together, as the control plane sets them.
    static let profiles: [String: [JSON]] = [
        "healthy": [],
        // One request in ten fails, and many responses are late.
        "flaky": [
            ["id": "unavailable", "probability": .number("0.1"), "error": unavailable],
            [
                "id": "slow", "probability": .number("0.5"),
                "latencyMilliseconds": ["min": .number("20"), "max": .number("200")],
            ],
        ],
        "outage": [["id": "outage", "error": unavailable]],
        // One request in five is over the quota.
        "quota": [
            [
                "id": "quota", "probability": .number("0.2"),
                "error": [
                    "code": "RESOURCE_EXHAUSTED", "message": "Quota exceeded.", "retryAfterSeconds": .number("1"),
                ],
            ]
        ],
        "first-updates": [["id": "empty-mask", "emptyMaskOnce": .bool(true)]],
    ]

    private static let unavailable: JSON = [
        "code": "UNAVAILABLE", "message": "The service is currently unavailable.",
    ]
}
