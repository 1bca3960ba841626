/**
 * Authenticates ID tokens of OpenID Connect providers. Begin with {@link
 * dev.keelson.authn.oidc.OidcAuthenticator}.
 */
@NullMarked
package dev.keelson.authn.oidc;

import org.jspecify.annotations.NullMarked;
