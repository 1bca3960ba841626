/**
 * Connections to nodes, pods and services: {@code pods/log}, {@code exec}, {@code attach}, {@code
 * portforward}, and {@code proxy} of pods, services and nodes (source: kube-apiserver's
 * registry/core/pod, node and service, and apiserver's util/proxy). Decides where a request goes
 * and with which protocol; the bytes are passed by {@code http.relay}. Begin with {@link
 * dev.keelson.http.node.NodeConnections}.
 */
@NullMarked
package dev.keelson.http.node;

import org.jspecify.annotations.NullMarked;
