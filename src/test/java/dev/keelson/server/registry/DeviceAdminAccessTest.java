package dev.keelson.server.registry;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.AdmissionRequest;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DeviceAdminAccessTest {

  private static final String VERSION = "resource.k8s.io/v1";
  private static final String ADMIN =
      "{'devices':{'requests':[{'name':'a','exactly':{'deviceClassName':'c'}},"
          + "{'name':'b','exactly':{'deviceClassName':'c','adminAccess':true}}]}}";
  private static final String GRANTED =
      "{'allocation':{'devices':{'results':[{'request':'b','driver':'d','pool':'p','device':'x',"
          + "'adminAccess':true}]}}}";
  private static final String REFUSAL =
      "adminAccess: Forbidden: admin access to devices requires the"
          + " `resource.kubernetes.io/admin-access: true` label on the containing namespace";

  private final LocalApi api;
  private final Admission admission = new DeviceAdminAccess(new Labelled(), Admission.NONE);

  /** The namespace {@code admins} has the label. */
  private final class Labelled implements ClusterObjects {
    @Override
    public Optional<ApiObject> serviceAccount(String namespace, String name) {
      return Optional.empty();
    }

    @Override
    public List<ApiObject> priorityClasses() {
      return List.of();
    }

    @Override
    public Optional<ApiObject> runtimeClass(String name) {
      return Optional.empty();
    }

    @Override
    public Optional<ApiObject> priorityClass(String name) {
      return Optional.empty();
    }

    @Override
    public List<Supplier<ApiObject>> list(GroupVersionResource resource, String namespace) {
      return List.of();
    }

    @Override
    public Optional<ApiObject> find(GroupVersionResource resource, String namespace, String name) {
      String labels =
          name.equals("admins") ? ",'labels':{'resource.kubernetes.io/admin-access':'true'}" : "";
      return Optional.of(
          api.object("v1", "namespaces", "{'metadata':{'name':'" + name + "'" + labels + "}}"));
    }
  }

  DeviceAdminAccessTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
  }

  @AfterEach
  void close() {
    api.close();
  }

  private void write(
      String resource,
      String subresource,
      String namespace,
      String json,
      @Nullable String currentJson) {
    admission.validate(
        new AdmissionAttributes(
            currentJson == null ? Verb.CREATE : Verb.UPDATE,
            api.definition(VERSION, resource),
            subresource,
            namespace,
            "x",
            api.object(VERSION, resource, json),
            currentJson == null ? null : api.object(VERSION, resource, currentJson),
            AdmissionRequest.of(new UserInfo("u", "", List.of(), Map.of()), false, warning -> {})));
  }

  @Test
  void claim_inANamespaceWithoutTheLabel_isRefused() {
    assertThatThrownBy(() -> write("resourceclaims", "", "default", "{'spec':" + ADMIN + "}", null))
        .hasMessageContaining("spec.devices.requests[1]." + REFUSAL);
    assertThatThrownBy(
            () ->
                write(
                    "resourceclaimtemplates",
                    "",
                    "default",
                    "{'spec':{'spec':" + ADMIN + "}}",
                    null))
        .hasMessageContaining(REFUSAL);
  }

  @Test
  void claim_inANamespaceWithTheLabel_passes() {
    assertThatCode(() -> write("resourceclaims", "", "admins", "{'spec':" + ADMIN + "}", null))
        .doesNotThrowAnyException();
  }

  @Test
  void allocation_isCheckedOnce() {
    String claim = "{'spec':" + ADMIN + "}";
    String granted = "{'spec':" + ADMIN + ",'status':" + GRANTED + "}";

    assertThatThrownBy(() -> write("resourceclaims", "status", "default", granted, claim))
        .hasMessageContaining("status.allocation.devices.results[0]." + REFUSAL);
    assertThatCode(() -> write("resourceclaims", "status", "admins", granted, claim))
        .doesNotThrowAnyException();
    assertThatCode(() -> write("resourceclaims", "status", "default", granted, granted))
        .doesNotThrowAnyException();
  }

  @Test
  void otherUpdates_areNotChecked() {
    String claim = "{'spec':" + ADMIN + "}";

    assertThatCode(() -> write("resourceclaims", "", "default", claim, claim))
        .doesNotThrowAnyException();
    assertThatCode(() -> write("deviceclasses", "", "", "{'spec':{}}", null))
        .doesNotThrowAnyException();
  }
}
