/**
 * PEM (RFC 7468) and DER: blocks, certificates, private keys and public keys, read and written. The
 * only package that decodes either; the ASN.1 below comes from Bouncy Castle. Knows nothing of what
 * a certificate or a key is for. Begin with {@link dev.keelson.pem.PemCertificates} and {@link
 * dev.keelson.pem.PemPrivateKeys}.
 */
@NullMarked
package dev.keelson.pem;

import org.jspecify.annotations.NullMarked;
