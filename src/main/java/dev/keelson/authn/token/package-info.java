/**
 * Static bearer tokens from a file, read once at start. Begin with {@link
 * dev.keelson.authn.token.TokenFileAuthenticator}.
 */
@NullMarked
package dev.keelson.authn.token;

import org.jspecify.annotations.NullMarked;
