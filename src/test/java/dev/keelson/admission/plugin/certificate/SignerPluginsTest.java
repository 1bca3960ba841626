package dev.keelson.admission.plugin.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.Verb;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.object.ApiObject;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.AdmissionCalls;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plug-ins that ask for rights on signers (the tables of Kubernetes' tests of them). */
class SignerPluginsTest {

  /** Allows one verb on one name, and records what it is asked. */
  private record Granted(String verb, String name, List<String> asked) implements Authorizer {

    @Override
    public Decision authorize(Attributes attributes) {
      if (!(attributes.target() instanceof Attributes.Resource target)) {
        return Decision.NoOpinion.PLAIN;
      }
      asked.add(
          attributes.verb()
              + " "
              + target.group()
              + "/"
              + target.version()
              + "/"
              + target.combined()
              + " "
              + target.name());
      return attributes.verb().equals(verb) && target.name().equals(name)
          ? Decision.Allow.PLAIN
          : Decision.NoOpinion.PLAIN;
    }

    @Override
    public ResolvedRules rules(UserInfo user, String namespace) {
      throw new UnsupportedOperationException();
    }
  }

  private final List<String> asked = new ArrayList<>();

  private static ApiObject request(String signer, String status) {
    return AdmissionCalls.object(
        "certificates.k8s.io/v1",
        "certificatesigningrequests",
        "{'metadata':{'name':'r'},'spec':{'signerName':'" + signer + "'},'status':" + status + "}");
  }

  private static String refusal(Admission plugin, AdmissionAttributes call) {
    ApiException refused = catchThrowableOfType(ApiException.class, () -> plugin.validate(call));
    return refused == null ? "" : refused.text().substring(refused.text().indexOf("user"));
  }

  @ParameterizedTest
  @CsvSource({
    "abc.com/xyz, abc.com/xyz, true",
    "abc.com/*, abc.com/xyz, true",
    "abc.com/other, abc.com/xyz, false",
    "other.com/*, abc.com/xyz, false",
    "*, abc.com/xyz, false",
    // the signer of the stored request counts
    "new.com/xyz, abc.com/xyz, false",
  })
  void request_needsRightsOnItsSigner(String granted, String signer, boolean allowed) {
    AdmissionCalls calls = new AdmissionCalls();
    ApiObject current = request(signer, "{}");
    ApiObject next = request("new.com/xyz", "{'certificate':'eA=='}");
    for (String verb : List.of("approve", "sign")) {
      Granted authorizer = new Granted(verb, granted, asked);
      boolean approves = verb.equals("approve");
      Admission plugin =
          approves ? new CertificateApproval(authorizer) : new CertificateSigning(authorizer);

      assertThat(
              refusal(
                  plugin,
                  calls.call(
                      Verb.UPDATE,
                      "certificates.k8s.io/v1",
                      "certificatesigningrequests",
                      approves ? "approval" : "status",
                      next,
                      current)))
          .isEqualTo(
              allowed
                  ? ""
                  : "user not permitted to "
                      + verb
                      + " requests with signerName \""
                      + signer
                      + "\"");
    }
    assertThat(asked).contains("approve certificates.k8s.io/*/signers " + signer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|{}|true",
        "{}|{'conditions':[]}|true",
        "{}|{'certificate':''}|true",
        "{'certificate':'eA=='}|{'certificate':'eA=='}|true",
        "{}|{'certificate':'eA=='}|false",
        "{}|{'conditions':[{'type':'Failed','status':'True'}]}|false",
        "{'conditions':[{'type':'Failed','status':'True'}]}|{}|false",
      })
  void statusOfARequest_isFreeButForItsCertificateAndConditions(
      String before, String after, boolean allowed) {
    Admission plugin = new CertificateSigning(new Granted("none", "none", asked));

    assertThat(
            refusal(
                    plugin,
                    new AdmissionCalls()
                        .call(
                            Verb.UPDATE,
                            "certificates.k8s.io/v1",
                            "certificatesigningrequests",
                            "status",
                            request("a.io/b", after),
                            request("a.io/b", before)))
                .isEmpty())
        .isEqualTo(allowed);
  }
}
