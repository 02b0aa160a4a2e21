package import Testing

/// The threats that a test is for, as SECURITY.md names them.
extension Tag {
    @Tag package static var a1: Self
    @Tag package static var a2: Self
    @Tag package static var a3: Self
    @Tag package static var a4: Self
    @Tag package static var a5: Self
    @Tag package static var a6: Self
    @Tag package static var j1: Self
    @Tag package static var j2: Self
    @Tag package static var j3: Self
    @Tag package static var j4: Self
    @Tag package static var j5: Self
    @Tag package static var j6: Self
    @Tag package static var j7: Self
    @Tag package static var j8: Self
    @Tag package static var j9: Self
    @Tag package static var j10: Self
    @Tag package static var j11: Self
    @Tag package static var j12: Self
    @Tag package static var j13: Self
    @Tag package static var j14: Self
    @Tag package static var j15: Self
    @Tag package static var s1: Self
    @Tag package static var s2: Self
    @Tag package static var s3: Self
    @Tag package static var s4: Self
    @Tag package static var s6: Self
    @Tag package static var s7: Self
    @Tag package static var s8: Self
    @Tag package static var s9: Self
    @Tag package static var s10: Self
    @Tag package static var s11: Self
    @Tag package static var s12: Self
    @Tag package static var s16: Self
}
