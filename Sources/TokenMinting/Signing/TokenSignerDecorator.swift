package import JOSE

/// A signer that adds behavior to another one and forwards everything else.
///
/// From the outside in, the order is the same for every kind of key: failures are reported, then signatures wait for
/// their turn, then they are measured and made. So a measurement of a remote signature has no waiting in it.
package protocol TokenSignerDecorator: TokenSigner {
    /// The type of the other signer.
    associatedtype Signer
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
