/**
 * Encryption at rest: transforms values between memory and the store, in the formats of
 * kube-apiserver (k8s.io/apiserver pkg/storage/value), so that either server reads what the other
 * one wrote. Knows keys, resources and bytes, but no objects and no configuration file. Begin with
 * {@link dev.keelson.storage.encryption.EncryptedStore} and {@link
 * dev.keelson.storage.encryption.Transformer}.
 */
@NullMarked
package dev.keelson.storage.encryption;

import org.jspecify.annotations.NullMarked;
