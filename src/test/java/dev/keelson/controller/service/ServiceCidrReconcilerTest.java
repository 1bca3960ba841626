package dev.keelson.controller.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.controller.service.NetworkChanges.Kind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServiceCidrReconcilerTest {

  private NetworkFixture network;
  private ServiceCidrReconciler reconciler;

  @BeforeEach
  void open(@TempDir Path directory) {
    network = new NetworkFixture(directory);
    reconciler = new ServiceCidrReconciler(network.client, network.state, network.api.clock());
  }

  @AfterEach
  void close() {
    network.close();
  }

  private void cidr(String name, String cidrs) {
    ApiObject unused = network.cidr(name, cidrs);
    assertThat(reconcile(name)).isZero();
  }

  private Duration reconcile(String name) {
    network.catchUp(network.state);
    return reconciler.reconcile(name);
  }

  private void delete(String name) {
    network.client.delete(
        Kind.SERVICE_CIDRS.resource(), "", name, new DeleteRequest("", "", Dependents.BACKGROUND));
  }

  private ApiObject stored(String name) {
    return network.client.get(Kind.SERVICE_CIDRS.resource(), "", name).orElseThrow();
  }

  private MapNode ready(String name) {
    return ServiceCidrObject.ready(stored(name));
  }

  private void address(String ip) {
    ApiObject unused =
        network.address(
            ip,
            "'ipaddress.kubernetes.io/managed-by':'ipallocator.k8s.io'",
            "{'resource':'services','namespace':'default','name':'a'}");
  }

  @Test
  void newRange_isHeldAndReady() {
    cidr("a", "'10.1.0.0/24'");

    assertThat(stored("a").meta().finalizers())
        .containsExactly("networking.k8s.io/service-cidr-finalizer");
    assertThat(ready("a").text("status")).isEqualTo("True");
    assertThat(ready("a").text("message")).isEqualTo("Kubernetes Service CIDR is ready");
  }

  @Test
  void rightRange_isNotWritten() {
    cidr("a", "'10.1.0.0/24'");
    String before = stored("a").meta().resourceVersion();

    assertThat(reconcile("a")).isZero();

    assertThat(stored("a").meta().resourceVersion()).isEqualTo(before);
  }

  @Test
  void freeRange_goesAfterTheGrace() {
    cidr("a", "'10.1.0.0/24'");
    delete("a");

    assertThat(reconcile("a")).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(10));
    network.api.clock().advance(Duration.ofSeconds(11));
    assertThat(reconcile("a")).isZero();

    assertThat(network.exists(Kind.SERVICE_CIDRS, "a")).isFalse();
  }

  @Test
  void usedRange_staysAndSaysWhy() {
    cidr("a", "'10.1.0.0/24','fd00::/64'");
    address("fd00::5");
    delete("a");
    network.api.clock().advance(Duration.ofSeconds(11));

    assertThat(reconcile("a")).isZero();

    assertThat(ready("a").text("status")).isEqualTo("False");
    assertThat(ready("a").text("reason")).isEqualTo("Terminating");
    assertThat(ready("a").text("message"))
        .isEqualTo(
            "There are still IPAddresses referencing the ServiceCIDR, please remove them or create"
                + " a new ServiceCIDR");
  }

  @Test
  void usedRangeInsideAnother_goes() {
    cidr("wide", "'10.1.0.0/16'");
    cidr("narrow", "'10.1.0.0/24'");
    address("10.1.0.5");
    delete("narrow");
    network.api.clock().advance(Duration.ofSeconds(11));

    assertThat(reconcile("narrow")).isZero();

    assertThat(network.exists(Kind.SERVICE_CIDRS, "narrow")).isFalse();
  }

  @Test
  void rangeWhoseAddressesAreInAnother_goes() {
    cidr("wide", "'10.1.0.0/16'");
    cidr("narrow", "'10.1.0.0/24'");
    address("10.1.0.5");
    delete("wide");
    network.api.clock().advance(Duration.ofSeconds(11));

    assertThat(reconcile("wide")).isZero();

    assertThat(network.exists(Kind.SERVICE_CIDRS, "wide")).isFalse();
  }

  @Test
  void rangesThatCoverEachOther_bothStay() {
    cidr("a", "'10.1.0.0/24'");
    cidr("b", "'10.1.0.0/24'");
    address("10.1.0.5");
    delete("a");
    delete("b");
    network.api.clock().advance(Duration.ofSeconds(11));

    assertThat(reconcile("a")).isZero();
    assertThat(reconcile("b")).isZero();

    assertThat(network.exists(Kind.SERVICE_CIDRS, "a")).isTrue();
    assertThat(network.exists(Kind.SERVICE_CIDRS, "b")).isTrue();
  }

  @Test
  void defaultRange_isMadeReady_andGetsASecondOne() {
    new DefaultServiceCidr(network.client, List.of("10.0.0.0/24"), network.api.clock()).ensure();
    assertThat(ready("kubernetes").text("message"))
        .isEqualTo("Kubernetes default Service CIDR is ready");

    new DefaultServiceCidr(network.client, List.of("10.0.0.0/24", "fd00::/64"), network.api.clock())
        .ensure();
    assertThat(ServiceCidrObject.cidrs(stored("kubernetes")))
        .containsExactly("10.0.0.0/24", "fd00::/64");
  }

  @Test
  void defaultRangeOfOtherFlags_isLeftAndTold() {
    new DefaultServiceCidr(network.client, List.of("10.0.0.0/24"), network.api.clock()).ensure();

    new DefaultServiceCidr(network.client, List.of("10.9.0.0/24"), network.api.clock()).ensure();

    assertThat(stored("kubernetes").root().at("spec", "cidrs"))
        .isEqualTo(Node.texts(List.of("10.0.0.0/24")));
    assertThat(network.reasons()).containsExactly("KubernetesDefaultServiceCIDRInconsistent");
  }
}
