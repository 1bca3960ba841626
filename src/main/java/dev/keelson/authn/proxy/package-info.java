/**
 * Knows users by what a trusted proxy says of them. Begin with {@link
 * dev.keelson.authn.proxy.RequestHeaderAuthenticator}.
 */
@NullMarked
package dev.keelson.authn.proxy;

import org.jspecify.annotations.NullMarked;
