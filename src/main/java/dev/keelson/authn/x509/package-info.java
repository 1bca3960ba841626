/**
 * Client certificates: checks the chain against the authorities and reads the user from the
 * subject. Begin with {@link dev.keelson.authn.x509.ClientCertificates}.
 */
@NullMarked
package dev.keelson.authn.x509;

import org.jspecify.annotations.NullMarked;
