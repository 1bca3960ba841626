/**
 * Knows machines that join the cluster by tokens from Secrets. Begin with {@link
 * dev.keelson.authn.bootstrap.BootstrapTokenAuthenticator}.
 */
@NullMarked
package dev.keelson.authn.bootstrap;

import org.jspecify.annotations.NullMarked;
