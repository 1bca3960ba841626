package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.authn.Authentication;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.x509.X509Authenticator;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.certificate.RequestFacts;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.pem.PemCertificates;
import dev.keelson.testing.CertificateRequests;
import dev.keelson.testing.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controllers of CertificateSigningRequests in a server, with the roles of Kubernetes. */
final class CertificateRequestsOnServerTest {

  private static final String KIND = "CertificateSigningRequest";

  @TempDir private Path directory;
  private AdministeredServer server;

  @BeforeEach
  void start() {
    server = new AdministeredServer(directory, "csrapproving,csrsigning,csrcleaner");
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private static String request(String name, String signer, String subject, String usages) {
    return ("{'metadata':{'name':'%s'},'spec':{'signerName':'kubernetes.io/%s','request':'%s',"
            + "'expirationSeconds':3600,'usages':%s}}")
        .formatted(
            name, signer, CertificateRequests.request(CertificateRequests.keys(), subject), usages);
  }

  /** As {@code kubectl certificate approve}. */
  private void approve(String name) throws InterruptedException {
    ApiObject stored = server.user.get(RequestFacts.RESOURCE, "", name).orElseThrow();
    MapNode condition =
        MapNode.of("type", Node.text("Approved"))
            .with("status", Node.text("True"))
            .with("reason", Node.text("KubectlApprove"))
            .with("message", Node.text("This CSR was approved by kubectl certificate approve."));
    Written unused =
        server.user.update(
            RequestFacts.RESOURCE,
            "approval",
            stored.with("status", MapNode.of("conditions", new Node.Items(List.of(condition)))));
  }

  private MapNode status(String name) {
    return server.find(RequestFacts.RESOURCE, "", name).map("status");
  }

  private X509Certificate issued(String name) {
    Eventually.assertEventually(() -> assertThat(status(name).text("certificate")).isNotEmpty());
    String text =
        new String(
            Base64.getDecoder().decode(status(name).text("certificate")),
            StandardCharsets.US_ASCII);
    return PemCertificates.parse("certificate", text).getFirst();
  }

  @Test
  void approvedRequest_getsACertificateThatAuthenticates() throws Exception {
    ApiObject unused =
        server.create(
            RequestFacts.RESOURCE,
            KIND,
            request("ann", "kube-apiserver-client", "O=dev,CN=ann", "['client auth']"));
    approve("ann");

    X509Certificate certificate = issued("ann");

    Authentication result =
        new X509Authenticator(
                List.of(server.opened.certificates().pki().authority()), InstantSource.system())
            .authenticate(credentials(certificate));
    assertThat(result)
        .isInstanceOfSatisfying(
            Authentication.Authenticated.class,
            found -> {
              assertThat(found.user().name()).isEqualTo("ann");
              assertThat(found.user().groups()).contains("dev");
            });
    assertThat(
            Duration.between(
                certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant()))
        .isEqualTo(Duration.ofMinutes(65));
  }

  private static Credentials credentials(X509Certificate certificate) {
    return new Credentials(List.of(), List.of(certificate));
  }

  @Test
  void requestAgainstTheRulesOfItsSigner_fails() throws Exception {
    ApiObject unused =
        server.create(
            RequestFacts.RESOURCE,
            KIND,
            request("bad", "kube-apiserver-client", "CN=ann", "['server auth']"));
    approve("bad");

    Eventually.assertEventually(
        () ->
            assertThat(status("bad").maps("conditions"))
                .anySatisfy(
                    condition -> {
                      assertThat(condition.text("type")).isEqualTo("Failed");
                      assertThat(condition.text("reason")).isEqualTo("SignerValidationFailure");
                      assertThat(condition.text("message"))
                          .isEqualTo("invalid usage for client certificate: server auth");
                    }));
    assertThat(status("bad").text("certificate")).isEmpty();
  }

  @Test
  void kubelet_isApprovedByItsRole() throws Exception {
    String usages = "['digital signature','client auth']";
    String node = "O=system:nodes,CN=system:node:a";
    // every node may renew its own certificate
    ApiObject binding =
        server.create(
            new GroupVersion("rbac.authorization.k8s.io", "v1").resource("clusterrolebindings"),
            "ClusterRoleBinding",
            "{'metadata':{'name':'renew'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
                + "'kind':'ClusterRole','name':"
                + "'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient'},"
                + "'subjects':[{'apiGroup':'rbac.authorization.k8s.io','kind':'Group',"
                + "'name':'system:nodes'}]}");
    assertThat(binding.meta().name()).isEqualTo("renew");
    ApiObject other =
        server.create(
            RequestFacts.RESOURCE,
            KIND,
            request("other", "kube-apiserver-client-kubelet", node, usages));
    assertThat(other.meta().name()).isEqualTo("other");
    ApiObject self =
        AdministeredServer.create(
            server.as("system:node:a", "system:nodes", "system:masters"),
            RequestFacts.RESOURCE,
            KIND,
            request("self", "kube-apiserver-client-kubelet", node, usages));
    assertThat(self.meta().name()).isEqualTo("self");

    assertThat(issued("self").getSubjectX500Principal().getName())
        .isEqualTo("CN=system:node:a,O=system:nodes");
    assertThat(status("self").maps("conditions"))
        .singleElement()
        .satisfies(
            condition -> {
              assertThat(condition.text("reason")).isEqualTo("AutoApproved");
              assertThat(condition.text("message"))
                  .isEqualTo(
                      "Auto approving self kubelet client certificate after SubjectAccessReview.");
            });
  }
}
