/**
 * Client certificates: verifies the chain against the client CAs and maps the subject to a user.
 * Begin with {@link dev.keelson.authn.x509.X509Authenticator}.
 */
@NullMarked
package dev.keelson.authn.x509;

import org.jspecify.annotations.NullMarked;
