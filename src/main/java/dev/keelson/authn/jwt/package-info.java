/**
 * JSON Web Tokens (RFC 7519): reads them with bounds, checks their signatures, makes them. The only
 * package that knows the library for it; whether a token's claims make anyone known is decided by
 * others. Begin with {@link dev.keelson.authn.jwt.Jwt}.
 */
@NullMarked
package dev.keelson.authn.jwt;

import org.jspecify.annotations.NullMarked;
