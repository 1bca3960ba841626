/**
 * Static bearer tokens ({@code --token-auth-file}) and passwords ({@code --basic-auth-file}) from
 * CSV files, looked up by digest. Begin with {@link
 * dev.keelson.authn.token.TokenFileAuthenticator}.
 */
@NullMarked
package dev.keelson.authn.token;

import org.jspecify.annotations.NullMarked;
