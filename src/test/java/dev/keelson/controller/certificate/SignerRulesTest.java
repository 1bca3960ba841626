package dev.keelson.controller.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CertificateRequests;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SignerRulesTest {

  private static final KeyPair KEYS = CertificateRequests.keys();
  private static final String NODE = "O=system:nodes,CN=system:node:a";

  static ApiObject object(String request, String... usages) {
    return new ApiObject(
        MapNode.of(
            "spec",
            MapNode.of("request", Node.text(request))
                .with("usages", Node.texts(Arrays.asList(usages)))));
  }

  private static String error(String signer, String subject, String names, String usages) {
    List<GeneralName> given = new ArrayList<>();
    for (String name : names.isEmpty() ? new String[0] : names.split(" ", -1)) {
      String[] parts = name.split("=", 2);
      int kind =
          switch (parts[0]) {
            case "dns" -> GeneralName.dNSName;
            case "ip" -> GeneralName.iPAddress;
            case "email" -> GeneralName.rfc822Name;
            default -> GeneralName.uniformResourceIdentifier;
          };
      given.add(new GeneralName(kind, parts[1]));
    }
    String request = CertificateRequests.request(KEYS, KEYS, subject, given);
    try {
      SignerRules.check(
          "kubernetes.io/" + signer,
          CertificateRequest.of(object(request, usages.split(", ", -1))));
      return "";
    } catch (SigningException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | digital signature, key encipherment, server auth | DNS or IP subjectAltName is"
            + " required",
        "dns=a | digital signature, key encipherment, server auth | ''",
        "ip=10.0.0.1 | digital signature, server auth | ''",
        "dns=a email=a@b | digital signature, server auth | Email subjectAltNames are not allowed",
        "dns=a uri=x://y | digital signature, server auth | URI subjectAltNames are not allowed",
        "dns=a | client auth | usages did not match [digital signature key encipherment server"
            + " auth]",
      })
  void kubeletServing(String names, String usages, String message) {
    assertThat(error("kubelet-serving", NODE, names, usages)).isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | digital signature, key encipherment, client auth | ''",
        "'' | client auth, digital signature | ''",
        "dns=a | digital signature, client auth | DNS subjectAltNames are not allowed",
        "ip=::1 | digital signature, client auth | IP subjectAltNames are not allowed",
        "email=a@b | digital signature, client auth | Email subjectAltNames are not allowed",
        "uri=x://y | digital signature, client auth | URI subjectAltNames are not allowed",
        "'' | server auth | usages did not match [client auth digital signature key encipherment]",
      })
  void kubeletClient(String names, String usages, String message) {
    assertThat(error("kube-apiserver-client-kubelet", NODE, names, usages)).isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CN=system:node:a | subject organization is not system:nodes",
        "O=system:nodes,O=b,CN=system:node:a | subject organization is not system:nodes",
        "O=system:nodes,CN=a | subject common name does not begin with system:node:",
      })
  void kubelet_isNamedByItsSubject(String subject, String message) {
    String usages = "digital signature, client auth";
    assertThat(error("kube-apiserver-client-kubelet", subject, "", usages)).isEqualTo(message);
    assertThat(error("kubelet-serving", subject, "dns=a", usages.replace("client", "server")))
        .isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "client auth | ''",
        "digital signature, key encipherment, client auth | ''",
        "server auth, client auth | invalid usage for client certificate: server auth",
        "digital signature | missing required usage for client certificate: client auth",
      })
  void apiServerClient(String usages, String message) {
    assertThat(error("kube-apiserver-client", "CN=a", "dns=any", usages)).isEqualTo(message);
    assertThat(error("legacy-unknown", "CN=a", "dns=any", usages)).isEmpty();
  }
}
