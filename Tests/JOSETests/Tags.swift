import Testing

/// The known faults and threats that a test is for: B in docs/token-cache-faults.md, the others in SECURITY.md and beside their tests.
extension Tag {
    @Tag static var j1: Self
    @Tag static var j2: Self
    @Tag static var j3: Self
    @Tag static var j4: Self
    @Tag static var j5: Self
    @Tag static var j6: Self
    @Tag static var j8: Self
    @Tag static var j13: Self
    @Tag static var j14: Self
    @Tag static var j15: Self
}
