/**
 * Signs the cluster-info ConfigMap with bootstrap tokens, and deletes bootstrap tokens that have
 * expired and service account tokens that nobody uses. Sees the API through the client only. Begin
 * with {@link dev.keelson.controller.token.BootstrapSigner}.
 */
@NullMarked
package dev.keelson.controller.token;

import org.jspecify.annotations.NullMarked;
