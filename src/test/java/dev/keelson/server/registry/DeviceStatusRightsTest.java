package dev.keelson.server.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.AdmissionRequest;
import dev.keelson.api.ApiException;
import dev.keelson.api.Verb;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.object.ApiObject;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The cases are those of kube-apiserver's tests of {@code pkg/registry/resource/utils.go}. */
@Timeout(120)
class DeviceStatusRightsTest {

  private static final String VERSION = "resource.k8s.io/v1";
  private static final String DRIVER = "system:serviceaccount:kube-system:dra-driver";
  private static final String ON_ONE =
      "'allocation':{'nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name',"
          + "'operator':'In','values':['one']}]}]}}";
  private static final String NEW = "'devices':[{'driver':'d','pool':'p','device':'new'}]";
  private static final String OLD = "'devices':[{'driver':'d','pool':'p','device':'old'}]";

  private final LocalApi api;
  private final Set<String> allowed = new HashSet<>();
  private final List<String> asked = new ArrayList<>();
  private final Admission admission = new DeviceStatusRights(new Recorder(), Admission.NONE);
  private Verb verb = Verb.UPDATE;

  /** Allows what is in {@code allowed}. */
  private final class Recorder implements Authorizer {
    @Override
    public Decision authorize(Attributes attributes) {
      Attributes.Resource target = (Attributes.Resource) attributes.target();
      String one =
          attributes.verb()
              + " "
              + target.combined()
              + " "
              + target.namespace()
              + "/"
              + target.name();
      asked.add(one);
      return allowed.contains(one) ? Decision.Allow.PLAIN : new Decision.NoOpinion("no rule", "");
    }

    @Override
    public ResolvedRules rules(UserInfo user, String namespace) {
      return ResolvedRules.NONE;
    }
  }

  DeviceStatusRightsTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
  }

  @AfterEach
  void close() {
    api.close();
  }

  private void update(UserInfo user, String subresource, String before, String next) {
    admission.validate(
        new AdmissionAttributes(
            Verb.UPDATE,
            api.definition(VERSION, "resourceclaims"),
            subresource,
            "default",
            "x",
            claim(next),
            claim(before),
            AdmissionRequest.of(user, false, warning -> {}).asked(verb)));
  }

  private ApiObject claim(String status) {
    return api.object(
        VERSION, "resourceclaims", "{'metadata':{'name':'x'},'status':{" + status + "}}");
  }

  private static UserInfo user(String name, String... nodes) {
    return new UserInfo(
        name,
        "",
        List.of(),
        nodes.length == 0
            ? Map.of()
            : Map.of("authentication.kubernetes.io/node-name", List.of(nodes)));
  }

  @Test
  void unchangedStatus_andOtherWrites_needNothing() {
    update(user("u"), "status", ON_ONE + "," + OLD, ON_ONE + "," + OLD);
    update(user("u"), "", "", ON_ONE);

    assertThat(asked).isEmpty();
  }

  @Test
  void allocation_andConsumers_needTheBinding() {
    String reserved = "'reservedFor':[{'resource':'pods','name':'p','uid':'1'}]";

    assertThatThrownBy(() -> update(user("u"), "status", "", ON_ONE))
        .isInstanceOfSatisfying(
            ApiException.class,
            e ->
                assertThat(e.text())
                    .isEqualTo(
                        "ResourceClaim.resource.k8s.io \"x\" is invalid: status: Forbidden:"
                            + " changing status.allocation or status.reservedFor requires"
                            + " resource=\"resourceclaims/binding\", verb=\"update\" permission:"
                            + " resourceclaims.resource.k8s.io is forbidden: User \"u\" cannot"
                            + " update resource \"resourceclaims/binding\" in API group"
                            + " \"resource.k8s.io\" at the cluster scope: no rule"));
    assertThatThrownBy(() -> update(user("u"), "status", ON_ONE, reserved))
        .hasMessageContaining("status: Forbidden: changing status.allocation");

    allowed.add("update resourceclaims/binding /");
    update(user("u"), "status", "", ON_ONE);
    update(user("u"), "status", ON_ONE, ON_ONE + "," + reserved);
  }

  /** Otherwise neither the scheduler nor the controller of claims could free such devices. */
  @Test
  void statusOfADevice_goesWithItsAllocation() {
    String allocation =
        "'allocation':{'devices':{'results':[{'request':'r','driver':'d','pool':'p','device':'old'}]}}";
    allowed.add("update resourceclaims/binding /");

    update(user("u"), "status", allocation + "," + OLD, "");

    assertThat(asked).containsExactly("update resourceclaims/binding /");
    assertThatThrownBy(() -> update(user("u"), "status", allocation + "," + OLD, allocation))
        .hasMessageContaining("changing status.devices");
  }

  @Test
  void patch_needsItsOwnVerb() {
    verb = Verb.PATCH;
    allowed.add("patch resourceclaims/binding /");

    update(user("u"), "status", "", ON_ONE);

    assertThat(asked).containsExactly("patch resourceclaims/binding /");
  }

  @Test
  void devices_needTheirDriver() {
    assertThatThrownBy(() -> update(user("u"), "status", OLD, NEW))
        .hasMessageContaining(
            "status.devices: Forbidden: changing status.devices requires"
                + " resource=\"resourceclaims/driver\", verb=\"[arbitrary-node:update]\""
                + " permission: resourceclaims.resource.k8s.io \"d\" is forbidden: User \"u\""
                + " cannot arbitrary-node:update resource \"resourceclaims/driver\" in API group"
                + " \"resource.k8s.io\" in the namespace \"default\": no rule");

    allowed.add("arbitrary-node:update resourceclaims/driver default/d");
    update(user("u"), "status", OLD, NEW);
  }

  @Test
  void changedDrivers_areThoseOfAddedChangedAndRemovedDevices() {
    assertThatThrownBy(
            () ->
                update(
                    user("u"),
                    "status",
                    "'devices':[{'driver':'a','pool':'p','device':'1'},"
                        + "{'driver':'b','pool':'p','device':'2'},"
                        + "{'driver':'d','pool':'p','device':'4'},"
                        + "{'driver':'e','pool':'p','device':'5','shareID':'x'}]",
                    "'devices':[{'driver':'a','pool':'p','device':'1',"
                        + "'networkData':{'interfaceName':'eth0'}},"
                        + "{'driver':'b','pool':'p','device':'2'},"
                        + "{'driver':'c','pool':'p','device':'3'},"
                        + "{'driver':'e','pool':'p','device':'5','shareID':'y'}]"))
        .isInstanceOf(ApiException.class);

    assertThat(asked)
        .containsExactly(
            "arbitrary-node:update resourceclaims/driver default/a",
            "arbitrary-node:update resourceclaims/driver default/c",
            "arbitrary-node:update resourceclaims/driver default/d",
            "arbitrary-node:update resourceclaims/driver default/e");
  }

  @Test
  void accountOfTheNode_mayUseEitherVerb() {
    String own = "associated-node:update resourceclaims/driver default/d";
    String any = "arbitrary-node:update resourceclaims/driver default/d";
    allowed.add(any);
    update(user(DRIVER, "one"), "status", ON_ONE + "," + OLD, ON_ONE + "," + NEW);
    assertThat(asked).containsExactly(own, any);

    asked.clear();
    allowed.add(own);
    update(user(DRIVER, "one"), "status", ON_ONE + "," + OLD, ON_ONE + "," + NEW);
    assertThat(asked).containsExactly(own);
  }

  @Test
  void whoIsNotOnTheNode_needsTheVerbForAll() {
    for (UserInfo user :
        List.of(
            user(DRIVER, "two"),
            user(DRIVER, "one", "two"),
            user(DRIVER),
            user("system:node:one", "one"),
            user("system:serviceaccount:kube-system", "one"))) {
      asked.clear();
      assertThatThrownBy(() -> update(user, "status", ON_ONE + "," + OLD, ON_ONE + "," + NEW))
          .isInstanceOf(ApiException.class);
      assertThat(asked).containsExactly("arbitrary-node:update resourceclaims/driver default/d");
    }
  }

  @Test
  void allocationToSeveralNodes_isOfNone() {
    String several = ON_ONE.replace("['one']", "['one','two']");

    assertThatThrownBy(
            () -> update(user(DRIVER, "one"), "status", several + "," + OLD, several + "," + NEW))
        .isInstanceOf(ApiException.class);

    assertThat(asked).containsExactly("arbitrary-node:update resourceclaims/driver default/d");
  }
}
