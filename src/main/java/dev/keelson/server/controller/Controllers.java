package dev.keelson.server.controller;

import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.garbage.GarbageCollector;
import dev.keelson.controller.namespace.NamespaceController;
import dev.keelson.controller.quota.QuotaController;
import dev.keelson.controller.service.DefaultServiceCidr;
import dev.keelson.controller.service.ServiceNetworkController;
import dev.keelson.controller.serviceaccount.NamespaceDefaults;
import dev.keelson.controller.storage.ProtectionController;
import dev.keelson.registry.namespace.NamespaceInformer;
import java.util.List;
import java.util.stream.Stream;

/**
 * The controllers of this server, for the start and stop order.
 *
 * @param flowDefaults maintains the default flow schemas and priority levels
 * @param defaultServiceCidr maintains the default ServiceCIDR, in {@code defaultServiceCidrLoop}
 * @param serviceNetwork maintains ServiceCIDRs, repairs allocations
 * @param identity renews the Lease of this server
 * @param storageVersions states the storage versions of this server
 * @param namespaces the feed of namespaces for {@code defaults} and {@code termination}
 */
public record Controllers(
    ServerEndpoints endpoints,
    ControllerLoop flowDefaults,
    DefaultServiceCidr defaultServiceCidr,
    ControllerLoop defaultServiceCidrLoop,
    ServiceNetworkController serviceNetwork,
    ControllerLoop identity,
    ControllerLoop storageVersions,
    NamespaceInformer namespaces,
    NamespaceDefaults defaults,
    NamespaceDefaultsObserver observer,
    NamespaceController termination,
    GarbageCollector garbage,
    QuotaController quotas,
    ProtectionController protection)
    implements QueueOwner {

  @Override
  public List<WorkQueue<?>> queues() {
    return Stream.of(serviceNetwork, defaults, termination, garbage, quotas, protection)
        .<WorkQueue<?>>flatMap(each -> each.queues().stream())
        .toList();
  }

  /**
   * Registers the namespace controllers with the feed; called once, before it starts.
   *
   * @param terminates whether namespaces that are deleted are emptied
   */
  public void followNamespaces(boolean terminates) {
    namespaces.listen(
        new NamespaceInformer.Listener() {
          @Override
          public void active(String namespace) {
            defaults.begin(namespace);
          }

          @Override
          public void terminating(String namespace) {
            defaults.forget(namespace);
            if (terminates) {
              termination.begin(namespace);
            }
          }
        });
  }
}
