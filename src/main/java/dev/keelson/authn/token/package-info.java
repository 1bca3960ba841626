/**
 * Static tokens and passwords from files. Begin with {@link
 * dev.keelson.authn.token.TokenFileAuthenticator}.
 */
@NullMarked
package dev.keelson.authn.token;

import org.jspecify.annotations.NullMarked;
