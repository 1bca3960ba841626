/**
 * The configuration files of authentication and authorization (apiserver.config.k8s.io), read with
 * kube-apiserver's validation. Knows nothing of the authenticators and authorizers that are built
 * from them. Begin with {@link
 * dev.keelson.server.identity.configuration.AuthenticationConfiguration}.
 */
@NullMarked
package dev.keelson.server.identity.configuration;

import org.jspecify.annotations.NullMarked;
