/**
 * Authenticates bootstrap tokens of nodes that join the cluster. Begin with {@link
 * dev.keelson.authn.bootstrap.BootstrapTokenAuthenticator}.
 */
@NullMarked
package dev.keelson.authn.bootstrap;

import org.jspecify.annotations.NullMarked;
