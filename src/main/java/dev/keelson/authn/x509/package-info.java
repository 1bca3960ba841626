/**
 * Client certificates: checks the chain against the authorities and reads the user from the
 * subject. Begin with {@link dev.keelson.authn.x509.X509Authenticator}.
 */
@NullMarked
package dev.keelson.authn.x509;

import org.jspecify.annotations.NullMarked;
