/**
 * Authenticates ID tokens of OpenID Connect providers: discovery and key sets, claim mappings and
 * validation rules, and distributed claims. Begin with {@link
 * dev.keelson.authn.oidc.OidcAuthenticator}.
 */
@NullMarked
package dev.keelson.authn.oidc;

import org.jspecify.annotations.NullMarked;
