package dev.keelson.server.controller;

import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.garbage.GarbageCollector;
import dev.keelson.controller.namespace.NamespaceController;
import dev.keelson.controller.serviceaccount.NamespaceDefaults;
import dev.keelson.registry.namespace.NamespaceInformer;

/**
 * The controllers of this server, for the start and stop order.
 *
 * @param flowDefaults keeps the flow schemas and priority levels that every cluster has
 * @param serviceRepair repairs the claims of Services
 * @param namespaces the feed that {@code defaults} and {@code termination} follow
 */
public record Controllers(
    ServerEndpoints endpoints,
    ControllerLoop flowDefaults,
    ControllerLoop serviceRepair,
    NamespaceInformer namespaces,
    NamespaceDefaults defaults,
    NamespaceDefaultsObserver observer,
    NamespaceController termination,
    GarbageCollector garbage) {

  /** Has the controllers of namespaces follow their feed; called once, before it starts. */
  public void followNamespaces() {
    namespaces.listen(
        new NamespaceInformer.Listener() {
          @Override
          public void active(String namespace) {
            defaults.begin(namespace);
          }

          @Override
          public void terminating(String namespace) {
            defaults.forget(namespace);
            termination.begin(namespace);
          }
        });
  }
}
