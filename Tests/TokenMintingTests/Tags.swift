import Testing

/// The known faults and threats that a test is for: B in docs/token-cache-faults.md, the others in SECURITY.md and beside their tests.
extension Tag {
    @Tag static var a1: Self
    @Tag static var a2: Self
    @Tag static var j10: Self
    @Tag static var j12: Self
    @Tag static var j14: Self
    @Tag static var j15: Self
    @Tag static var s2: Self
    @Tag static var s3: Self
    @Tag static var s4: Self
}
