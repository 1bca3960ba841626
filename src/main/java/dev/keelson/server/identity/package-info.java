/**
 * Builds authentication and authorization from the options and their files: the authenticators, the
 * authorizers, token issuing and TokenReviews. Uses the registry through a client or an interface
 * of {@code authz}; knows nothing of HTTP connections. Begin with {@link
 * dev.keelson.server.identity.AuthenticationService} and {@link
 * dev.keelson.server.identity.Authorization}.
 */
@NullMarked
package dev.keelson.server.identity;

import org.jspecify.annotations.NullMarked;
