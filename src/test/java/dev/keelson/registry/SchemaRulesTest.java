package dev.keelson.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Reason;
import dev.keelson.authz.rbac.DefaultRoles;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.validation.admissionregistration.PolicyExpressions;
import dev.keelson.schema.validation.apiextensions.DefaultValidation;
import dev.keelson.schema.validation.apiextensions.SchemaExpressions;
import dev.keelson.schema.validation.builtin.BuiltInRules;
import dev.keelson.schema.validation.resource.DeviceExpressions;
import dev.keelson.testing.LocalApi;
import dev.keelson.testing.SmallestObjects;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The rules of the types, where writes go through them. */
@Timeout(120)
class SchemaRulesTest {

  @TempDir Path directory;
  private LocalApi api;

  @BeforeEach
  void open() {
    api = LocalApi.openStrict(directory);
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void everyServedTypeTakesItsSmallestObject_andItsUpdate() {
    for (ResourceDefinition resource : SmallestObjects.resources()) {
      String version =
          new GroupVersion(resource.gvr().group(), resource.gvr().version()).toString();
      String namespace = resource.namespaced() ? "default" : "";
      String name = "some-" + version.replaceAll("[^a-z0-9]", "");
      String json = new Gson().toJson(SmallestObjects.of(resource, "default", name, 7));

      ApiObject created = api.create(version, resource.gvr().resource(), namespace, json);
      ApiObject changed =
          api.replace(
              version,
              resource.gvr().resource(),
              namespace,
              created.meta().name(),
              created.withMeta(
                  created
                      .meta()
                      .with(
                          "labels",
                          created.meta().node().map("labels").with("a", Node.text("b")))));

      assertThat(changed.meta().labels()).as(version + " " + resource.kind()).containsKey("a");
    }
  }

  @Test
  void create_ofAnInvalidObject_tellsEveryCause() {
    assertThatThrownBy(
            () ->
                api.create(
                    "apps/v1",
                    "deployments",
                    "default",
                    "{'metadata':{'name':'d'},'spec':{'replicas':-1}}"))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(Reason.INVALID);
              assertThat(e.text())
                  .isEqualTo(
                      "Deployment.apps \"d\" is invalid: [spec.replicas: Invalid value: -1: must be"
                          + " greater than or equal to 0, spec.selector: Required value,"
                          + " spec.template.metadata.labels: Invalid value: null: `selector` does"
                          + " not match template `labels`,"
                          + " spec.template.spec.containers: Required value]");
              assertThat(e.details().causes()).hasSize(4);
            });
  }

  @Test
  void oldGroup_mayChangeTheSelector_andTheNewOneNot() {
    String json =
        "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},'template':"
            + "{'metadata':{'labels':{'a':'b','c':'d'}},'spec':{'containers':[{'name':'m','image':'i'}]}}}}";
    api.create("apps/v1", "deployments", "default", json);
    String changed = json.replace("{'a':'b'}}", "{'c':'d'}}");

    ApiObject old = api.object("extensions/v1beta1", "deployments", changed);
    assertThat(api.replace("extensions/v1beta1", "deployments", "default", "d", old).meta().name())
        .isEqualTo("d");
    ApiObject back = api.object("apps/v1", "deployments", json);
    assertThatThrownBy(() -> api.replace("apps/v1", "deployments", "default", "d", back))
        .hasMessageContaining("spec.selector: Invalid value")
        .hasMessageContaining("field is immutable");
  }

  @Test
  void fieldsOfFeaturesThatAreOff_areForgotten() {
    ApiObject lease =
        api.create(
            "coordination.k8s.io/v1",
            "leases",
            "default",
            "{'metadata':{'name':'l'},'spec':{'holderIdentity':'a','strategy':'OldestEmulationVersion',"
                + "'preferredHolder':'b'}}");
    ApiObject set =
        api.create(
            "apps/v1",
            "deployments",
            "default",
            "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},'template':"
                + "{'metadata':{'labels':{'a':'b'}},'spec':{'schedulingGroup':{'podGroupName':'g'},"
                + "'volumes':[{'name':'v','secret':{'secretName':'s'}}],"
                + "'containers':[{'name':'m','image':'i'}]}}}}");

    assertThat(lease.root().map("spec").keys()).containsExactly("holderIdentity");
    // who owns fields is found before they are forgotten, as in Kubernetes
    assertThat(LocalApi.json(set.root().map("spec")))
        .doesNotContain("schedulingGroup")
        .contains("'secretName':'s'");
  }

  @Test
  void claim_hasItsSourceInBothFields() {
    String spec = "{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}},%s}";
    String source = "{'kind':'PersistentVolumeClaim','name':'other'}";
    for (String field : List.of("dataSource", "dataSourceRef")) {
      ApiObject claim = claim(field.toLowerCase(Locale.ROOT), spec, field, source);
      assertThat(claim.root().map("spec").map("dataSource"))
          .isEqualTo(claim.root().map("spec").map("dataSourceRef"))
          .isNotEqualTo(MapNode.EMPTY);
    }
    ApiObject crossing =
        claim("c", spec, "dataSourceRef", source.replace("'name'", "'namespace':'a','name'"));
    assertThat(crossing.root().map("spec").keys()).doesNotContain("dataSource", "dataSourceRef");
    ApiObject custom =
        claim("d", spec, "dataSource", "{'apiGroup':'example.org','kind':'A','name':'a'}");
    assertThat(custom.root().map("spec").keys()).doesNotContain("dataSource", "dataSourceRef");
    ApiObject both =
        claim(
            "e",
            spec,
            "dataSource",
            "{'apiGroup':'example.org','kind':'A','name':'a'},"
                + "'dataSourceRef':{'apiGroup':'example.org','kind':'A','name':'a'}");
    assertThat(both.root().map("spec").keys()).contains("dataSource", "dataSourceRef");
  }

  private ApiObject claim(String name, String spec, String field, String source) {
    return api.create(
        "v1",
        "persistentvolumeclaims",
        "default",
        "{'metadata':{'name':'"
            + name
            + "'},'spec':"
            + spec.formatted("'" + field + "':" + source)
            + "}");
  }

  @Test
  void update_ofAPod_tellsTheDifference() {
    ApiObject pod =
        api.create(
            "v1",
            "pods",
            "default",
            "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'m','image':'i'}]}}");

    assertThatThrownBy(
            () ->
                api.replace(
                    "v1",
                    "pods",
                    "default",
                    "p",
                    pod.with("spec", pod.root().map("spec").with("hostname", Node.text("other")))))
        .hasMessageContaining(
            "(allow it to be set to 1 if it was previously negative)\n@@ -64,7 +64,7 @@\n")
        .hasMessageContaining("\n- \"Hostname\": \"\",\n+ \"Hostname\": \"other\",\n")
        .hasMessageContaining("\n  \"ImagePullSecrets\": null,\n");
  }

  @Test
  void defaultRolesAreValid() throws IOException {
    List<DefaultRoles.Default> defaults;
    try (InputStream in =
        Objects.requireNonNull(
            SchemaRulesTest.class.getResourceAsStream("/keelson/default-roles.txt"))) {
      defaults =
          DefaultRoles.parse(
              new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
    }

    SchemaRules rules =
        new SchemaRules(
            BuiltInRules.validation(
                expression -> new DeviceExpressions.Finding.Accepted(),
                DefaultValidation.NONE,
                SchemaExpressions.NONE,
                PolicyExpressions.NONE));
    for (DefaultRoles.Default each : defaults) {
      ResourceDefinition definition =
          api.definition("rbac.authorization.k8s.io/v1", each.kind().resource());
      assertThat(rules.validateCreate(definition, each.object(), warning -> {}))
          .as(each.object().meta().name())
          .isEmpty();
    }
    assertThat(defaults.size()).isGreaterThan(50);
  }
}
