package import JOSE

/// A signer that adds behavior to another one and forwards everything else.
///
/// From the outside in, the order is the same for every kind of key: failures are reported, then signatures are
/// bounded, then measured, then made. So a measurement has the signature in it, and no waiting for a place.
package protocol TokenSignerDecorator: TokenSigner {
    /// The type of the other signer.
    associatedtype Signer
    /// The other signer.
    var signer: Signer { get }
}

extension TokenSignerDecorator where Signer == any TokenSigner {
    package var issuer: String { signer.issuer }
    package var publicKeys: [JWK] { signer.publicKeys }
    package var isRemote: Bool { signer.isRemote }
}

extension TokenSignerDecorator where Signer: TokenSigner {
    package var issuer: String { signer.issuer }
    package var publicKeys: [JWK] { signer.publicKeys }
    package var isRemote: Bool { signer.isRemote }
}
