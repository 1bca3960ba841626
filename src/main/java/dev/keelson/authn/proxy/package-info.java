/**
 * Authenticates users by the request headers of a trusted front proxy. Begin with {@link
 * dev.keelson.authn.proxy.RequestHeaderAuthenticator}.
 */
@NullMarked
package dev.keelson.authn.proxy;

import org.jspecify.annotations.NullMarked;
