import FleetToken
import JOSE
import Testing

/// The example of RFC 7515 appendix A.2, signed by somebody else with RS256.
struct RFC7515Tests {
    private static let modulus = """
        ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZ\
        S-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2\
        R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcD\
        TW9gb54h4FRWyuXpoQ
        """
    private static let token = """
        eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp\
        0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9\
        uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383\
        LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVm\
        tVrBp0igcN_IoypGlUPQGe77Rw
        """

    private func key() throws -> RSAPublicKey {
        try RSAPublicKey(
            modulus: try Base64URL.decode(Array(Self.modulus.utf8)),
            exponent: [1, 0, 1]
        )
    }

    @Test
    func `It is verified with its key`() throws {
        let jws = try CompactJWS(parsing: Array(Self.token.utf8))
        try jws.verify(with: try key())
        #expect(jws.header.algorithm == "RS256")
        #expect(jws.header.type == nil)
        #expect(jws.header.keyID == nil)
        #expect(jws.headerJSON == Array(#"{"alg":"RS256"}"#.utf8))
        let payload = "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}"
        #expect(jws.payload == Array(payload.utf8))
    }
}
