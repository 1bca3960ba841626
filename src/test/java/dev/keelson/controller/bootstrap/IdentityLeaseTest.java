package dev.keelson.controller.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.testing.LocalApi;
import dev.keelson.testing.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class IdentityLeaseTest {

  private final ManualClock clock = new ManualClock();
  private final LocalApi api;
  private final ResourceClient client;

  IdentityLeaseTest(@TempDir Path directory) {
    api = LocalApi.openStrict(directory);
    client = new LocalResourceClient(api.catalog(), api.registry());
    new SystemObjects(client).ensure(new SystemObjects.Place("10.0.0.1", "192.0.2.7", 6443));
  }

  @AfterEach
  void close() {
    api.close();
  }

  private ApiObject lease(String name) {
    return api.get("coordination.k8s.io/v1", "leases", "kube-system", name);
  }

  /** Hashes that kube-apiserver's algorithm gives. */
  @Test
  void name_isTheHashOfTheHost() {
    assertThat(IdentityLease.name("test")).isEqualTo("apiserver-t6dnbamijr6wlgrp5kqmkwwqcu");
    assertThat(IdentityLease.name("other")).hasSize("apiserver-".length() + 26);
  }

  @Test
  void lease_isCreatedAndRenewed() {
    IdentityLease identity = new IdentityLease(client, clock, "host-a");
    identity.renew();
    ApiObject first = lease(IdentityLease.name("host-a"));
    clock.advance(Duration.ofSeconds(10));

    identity.renew();

    assertThat(first.meta().labels())
        .containsEntry("apiserver.kubernetes.io/identity", "kube-apiserver")
        .containsEntry("kubernetes.io/hostname", "host-a");
    MapNode spec = lease(first.meta().name()).root().map("spec");
    assertThat(spec.text("holderIdentity")).startsWith(first.meta().name() + "_");
    assertThat(spec.get("leaseDurationSeconds")).isEqualTo(new Node.Int(3600));
    assertThat(spec.text("renewTime")).matches("[0-9-]+T[0-9:]+[.][0-9]{6}Z");
  }

  /** Source: {@code labelAPIServerHeartbeatFunc}, which runs at each renewal. */
  @Test
  void renewal_bringsTheLabelsBack() {
    IdentityLease identity = new IdentityLease(client, clock, "host-a");
    identity.renew();
    String name = IdentityLease.name("host-a");
    Optional<ApiObject> unused =
        client.change(
            GroupVersion.parse("coordination.k8s.io/v1").resource("leases"),
            "kube-system",
            name,
            lease ->
                lease.withMeta(lease.meta().with("labels", MapNode.of("mine", Node.text("1")))));

    identity.renew();

    assertThat(lease(name).meta().labels())
        .containsEntry("apiserver.kubernetes.io/identity", "kube-apiserver")
        .containsEntry("kubernetes.io/hostname", "host-a")
        .containsEntry("mine", "1");
  }

  @Test
  void expiredLeasesOfOtherServers_areDeleted() {
    new IdentityLease(client, clock, "gone").renew();
    clock.advance(Duration.ofMinutes(30));
    new IdentityLease(client, clock, "alive").renew();
    clock.advance(Duration.ofMinutes(31));

    new IdentityLease(client, clock, "new").renew();

    assertThat(
            client
                .list(
                    GroupVersion.parse("coordination.k8s.io/v1").resource("leases"), "kube-system")
                .stream()
                .map(lease -> lease.meta().name()))
        .containsExactlyInAnyOrderElementsOf(
            List.of(IdentityLease.name("alive"), IdentityLease.name("new")));
  }
}
