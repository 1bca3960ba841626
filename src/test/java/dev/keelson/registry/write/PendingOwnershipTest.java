package dev.keelson.registry.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.fieldmanager.FieldManager;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When {@code managedFields} are computed, and who sees them. */
@Timeout(120)
class PendingOwnershipTest {

  private static final String BAD = "{'metadata':{'name':'m','labels':{'-':'-'}}}";
  private static final String GOOD = "{'metadata':{'name':'m'},'data':{'k':'v'}}";

  private final List<String> steps = new ArrayList<>();
  private BiFunction<AdmissionAttributes, ApiObject, ApiObject> mutation = (call, object) -> object;
  private final LocalApi api;

  private final class Recorder implements Admission {
    @Override
    public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
      steps.add("mutate " + managers(object));
      return mutation.apply(call, object);
    }

    @Override
    public void validate(AdmissionAttributes call) {
      ApiObject object = call.object();
      steps.add("validate " + (object == null ? "nothing" : managers(object)));
    }
  }

  /** The server's, which says when it is asked. */
  private record Told(FieldManager fields, List<String> steps) implements FieldManager {
    @Override
    public ApiObject recordCreate(
        ResourceDefinition definition, ApiObject object, WriteOptions options) {
      steps.add("record");
      return fields.recordCreate(definition, object, options);
    }

    @Override
    public ApiObject recordUpdate(
        ResourceDefinition definition,
        String subresource,
        ApiObject object,
        ApiObject current,
        WriteOptions options) {
      steps.add("record");
      return fields.recordUpdate(definition, subresource, object, current, options);
    }
  }

  PendingOwnershipTest(@TempDir Path directory) {
    api = LocalApi.open(directory, new Recorder(), fields -> new Told(fields, steps));
    steps.clear();
  }

  @AfterEach
  void close() {
    api.close();
  }

  private static String managers(ApiObject object) {
    List<Node> entries = object.meta().node().items("managedFields");
    return Node.maps(entries).stream().map(entry -> entry.text("manager")).toList().toString();
  }

  private ApiObject create(String json) {
    return api.create("v1", "configmaps", "default", json);
  }

  private ApiObject replace(String json) {
    return api.replace("v1", "configmaps", "default", "m", api.object("v1", "configmaps", json));
  }

  private void assertInvalid(UnaryOperator<String> write) {
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> write.apply(BAD))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.INVALID));
  }

  @Test
  void objectThatIsInvalid_isNotRecorded() {
    assertInvalid(json -> create(json).toString());

    assertThat(steps).containsExactly("mutate []");
  }

  @Test
  void updateThatIsInvalid_isNotRecorded() {
    ApiObject unused = create(GOOD);
    steps.clear();

    assertInvalid(json -> replace(json).toString());

    assertThat(steps).containsExactly("mutate []");
  }

  @Test
  void validatingAdmission_seesTheOwners() {
    ApiObject created = create(GOOD);
    ApiObject replaced = replace("{'metadata':{'name':'m'},'data':{'k':'w'}}");

    assertThat(steps)
        .containsExactly(
            "mutate []",
            "record",
            "validate [keelson]",
            "mutate []",
            "record",
            "validate [keelson]");
    assertThat(managers(created)).isEqualTo("[keelson]");
    assertThat(managers(replaced)).isEqualTo("[keelson]");
  }

  @Test
  void mutatingAdmission_seesTheOwnersIfItAsks_andMayChangeThem() {
    mutation =
        (call, object) -> {
          ApiObject whole = call.recorded(object);
          assertThat(call.recorded(whole)).isSameAs(whole);
          steps.add("seen " + managers(whole));
          Node entry = whole.meta().node().items("managedFields").getFirst();
          Node renamed = ((MapNode) entry).with("manager", Node.text("other"));
          return whole.withMeta(
              whole.meta().with("managedFields", new Node.Items(List.of(renamed))));
        };

    ApiObject created = create(GOOD);

    assertThat(steps).containsExactly("mutate []", "record", "seen [keelson]", "validate [other]");
    assertThat(managers(created)).isEqualTo("[other]");
  }

  @Test
  void whatAPluginOfTheServerChanges_hasNoOwner() {
    mutation = (call, object) -> object.with("data", MapNode.of("k", Node.text("changed")));

    ApiObject created = create("{'metadata':{'name':'m','labels':{'a':'b'}}}");

    Node entry = created.meta().node().items("managedFields").getFirst();
    assertThat(((MapNode) entry).map("fieldsV1").keys()).containsExactly("f:metadata");
    assertThat(created.root().map("data").text("k")).isEqualTo("changed");
  }

  @Test
  void entriesOfTheClient_areTheStartOfThoseThatAreRecorded() {
    ApiObject created = create(GOOD);
    String others =
        LocalApi.json(created.root()).replace("'manager':'keelson'", "'manager':'first'");

    ApiObject replaced = replace(others);

    assertThat(managers(replaced)).isEqualTo("[first]");
  }

  @Test
  void attemptsOfOneWrite_recordOnce() {
    ApiObject sent = new ApiObject(MapNode.of("metadata", MapNode.of("name", Node.text("m"))));
    Node entries = new Node.Items(List.of(MapNode.of("manager", Node.text("first"))));
    PendingOwnership ownership =
        PendingOwnership.of(
            sent,
            object -> {
              steps.add("record " + object.meta().name());
              return object.withMeta(object.meta().with("managedFields", entries));
            });

    ApiObject first = ownership.completed(sent);
    ApiObject second = ownership.completed(sent);

    assertThat(steps).containsExactly("record m");
    assertThat(managers(first)).isEqualTo("[first]");
    assertThat(second).isEqualTo(first);
  }
}
