package dev.keelson.registry.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StoredType;
import dev.keelson.testing.SmallestObjects;
import dev.keelson.testing.TreeJson;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DisabledFieldsTest {

  private static final String PLAIN =
      "{'spec':{'containers':[{'name':'a','image':'b'}],'volumes':[{'name':'v','projected':"
          + "{'sources':[{}]}}]}}";
  private static final String BUNDLE =
      "{'spec':{'containers':[{'name':'a','image':'b'}],'volumes':[{'name':'v','projected':"
          + "{'sources':[{'clusterTrustBundle':{'name':'roots','path':'p'}}]}}]}}";
  private static final String GROUPED =
      "{'spec':{'containers':[{'name':'a','image':'b'}],'schedulingGroup':{'podGroupName':'g'}}}";

  private final DisabledFields fields = new DisabledFields();

  @Test
  void newObjectLosesThem() {
    assertThat(dropDisabledFields("Pod", BUNDLE, null)).isEqualTo(object(PLAIN));
  }

  @Test
  void podTemplateInAnotherTypeLosesThem() {
    assertThat(
            dropDisabledFields(
                "CronJob",
                "{'spec':{'jobTemplate':{'spec':{'template':{'spec':{'schedulingGroup':{}}}}}}}",
                null))
        .isEqualTo(object("{'spec':{'jobTemplate':{'spec':{'template':{'spec':{}}}}}}"));
  }

  @Test
  void structInAMapLosesThem() {
    assertThat(
            dropDisabledFields(
                "ResourceSlice",
                "{'spec':{'devices':[{'name':'a','attributes':{'x':{'ints':[1],'int':2}}}]}}",
                null))
        .isEqualTo(object("{'spec':{'devices':[{'name':'a','attributes':{'x':{'int':2}}}]}}"));
  }

  @Test
  void changedObjectLosesWhatItDidNotUse() {
    assertThat(dropDisabledFields("Pod", BUNDLE, PLAIN)).isEqualTo(object(PLAIN));
    assertThat(dropDisabledFields("Pod", BUNDLE, GROUPED)).isEqualTo(object(PLAIN));
  }

  @Test
  void changedObjectKeepsWhatItUsed() {
    assertThat(dropDisabledFields("Pod", BUNDLE, BUNDLE)).isEqualTo(object(BUNDLE));
    assertThat(
            dropDisabledFields(
                "Lease",
                "{'spec':{'strategy':'OldestEmulationVersion','preferredHolder':'b'}}",
                "{'spec':{'strategy':'OldestEmulationVersion'}}"))
        .isEqualTo(object("{'spec':{'strategy':'OldestEmulationVersion'}}"));
  }

  @Test
  void pointerToAStructOfDisabledFieldsGoesWithThem() {
    assertThat(dropDisabledFields("Pod", lifecycle("{'stopSignal':'SIGHUP'}"), null))
        .isEqualTo(object("{'spec':{'containers':[{'name':'a','image':'b'}]}}"));
    assertThat(
            dropDisabledFields(
                "Pod", lifecycle("{'preStop':{'sleep':{'seconds':1}},'stopSignal':'X'}"), null))
        .isEqualTo(object(lifecycle("{'preStop':{'sleep':{'seconds':1}}}")));
    assertThat(dropDisabledFields("Pod", lifecycle("{}"), null)).isEqualTo(object(lifecycle("{}")));
    assertThat(
            dropDisabledFields(
                "Pod", lifecycle("{'stopSignal':'SIGHUP'}"), lifecycle("{'stopSignal':'SIGTERM'}")))
        .isEqualTo(object(lifecycle("{'stopSignal':'SIGHUP'}")));
  }

  @Test
  void statusLosesThem() {
    assertThat(
            dropDisabledFields(
                "Pod",
                "{'status':{'containerStatuses':[{'name':'a','volumeMounts':[{'name':'v',"
                    + "'volumeStatus':{'image':{'imageRef':'r'}}}],'stopSignal':'SIGTERM'}],"
                    + "'nodeAllocatableResourceClaimStatuses':[{'resourceClaimName':'c'}]}}",
                PLAIN))
        .isEqualTo(
            object(
                "{'status':{'containerStatuses':[{'name':'a','volumeMounts':[{'name':'v'}],"
                    + "'stopSignal':'SIGTERM'}]}}"));
  }

  private static String lifecycle(String lifecycle) {
    return "{'spec':{'containers':[{'name':'a','image':'b','lifecycle':" + lifecycle + "}]}}";
  }

  @Test
  void objectWithoutThemStaysTheSame() {
    ApiObject plain = new ApiObject(object(PLAIN));

    assertThat(fields.dropDisabledFields(schema("Pod"), plain, plain)).isSameAs(plain);
  }

  private MapNode dropDisabledFields(String kind, String sent, @Nullable String stored) {
    return fields
        .dropDisabledFields(
            schema(kind),
            new ApiObject(object(sent)),
            stored == null ? null : new ApiObject(object(stored)))
        .root();
  }

  private static MapNode object(String json) {
    return (MapNode) TreeJson.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static StructSchema schema(String kind) {
    return SmallestObjects.resources().stream()
        .filter(each -> each.kind().equals(kind))
        .map(each -> Objects.requireNonNull(each.storage()))
        .map(StoredType::schema)
        .findFirst()
        .orElseThrow();
  }
}
