/**
 * JSON Web Tokens (RFC 7519): parses them with a length limit, verifies signatures and signs
 * tokens. The only package that uses the JWT library; the authenticators check the claims. Begin
 * with {@link dev.keelson.authn.jwt.Jwt}.
 */
@NullMarked
package dev.keelson.authn.jwt;

import org.jspecify.annotations.NullMarked;
