/**
 * The certificates that the server makes for itself and for its administrator, the files they live
 * in, and the kubeconfig. Knows files and certificates and nothing of the server; begin with {@link
 * dev.keelson.server.pki.Pki}.
 */
@NullMarked
package dev.keelson.server.pki;

import org.jspecify.annotations.NullMarked;
