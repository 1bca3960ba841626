/**
 * The flags and feature gates of kube-apiserver 1.36 that Keelson knows without having them: what
 * each means here. Tables only; loaded when a command line names one. Begin with {@link
 * dev.keelson.config.kubernetes.KubernetesFlags}.
 */
@NullMarked
package dev.keelson.config.kubernetes;

import org.jspecify.annotations.NullMarked;
