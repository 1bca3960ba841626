package dev.keelson.registry.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.registry.Collection;
import dev.keelson.registry.WriteOptions;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CustomTypeLifecycleTest {

  private static final String WIDGETS = CustomTypes.widgets("'schema':{}");
  private static final String NAME = "widgets.example.com";
  private static final String PREFIX = "example.com/widgets";

  private final LocalApi api;
  private final List<ResourceDefinition> builtIn;
  private final CustomTypeLifecycle types;

  CustomTypeLifecycleTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    builtIn = List.copyOf(api.catalog().snapshot().all());
    types = new CustomTypeLifecycle(api.catalog(), api.objects());
  }

  @BeforeEach
  void serve() {
    CustomTypes.serve(api.catalog(), WIDGETS);
  }

  @AfterEach
  void close() {
    api.close();
  }

  private Collection widgets() {
    return api.collection("example.com/v1", "widgets", "default");
  }

  private ApiObject widget(String name) {
    return api.object("example.com/v1", "widgets", "{'metadata':{'name':'" + name + "'}}");
  }

  private void create(Collection widgets, ApiObject object) {
    assertThat(api.registry().create(widgets, object, WriteOptions.PERSIST).revision())
        .isPositive();
  }

  private ApiObject define() {
    return api.create(
        "apiextensions.k8s.io/v1",
        "customresourcedefinitions",
        "",
        "{'metadata':{'name':'"
            + NAME
            + "'},'spec':{'group':'example.com','scope':'Namespaced','names':{'plural':'widgets',"
            + "'kind':'Widget'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{"
            + "'openAPIV3Schema':{'type':'object'}}}]}}");
  }

  private List<String> stored() {
    List<String> keys = new ArrayList<>();
    long revision =
        api.objects().list(PREFIX, entry -> keys.add(entry.key().utf8().replaceAll(".*/", "")));
    assertThat(revision).isPositive();
    return keys;
  }

  @Test
  void createWhileTheDefinitionTerminates_isNotAllowed() {
    List<ResourceDefinition> all = new ArrayList<>(builtIn);
    all.addAll(
        CustomTypes.rows(
            WIDGETS.replace("'uid':", "'deletionTimestamp':'2026-01-01T00:00:00Z','uid':")));
    api.catalog().replaceAll(all);

    assertThatThrownBy(() -> create(widgets(), widget("late")))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.METHOD_NOT_ALLOWED))
        .hasMessageContaining("create not allowed while custom resource definition is terminating");
    assertThat(stored()).isEmpty();
  }

  @Test
  void createByARequestThatBeganBeforeTheTypeWent_leavesNothing() {
    Collection former = widgets();
    ApiObject late = widget("late");
    api.catalog().replaceAll(builtIn);

    assertThatThrownBy(() -> create(former, late))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_FOUND));
    assertThat(stored()).isEmpty();
  }

  @Test
  void createInAVersionThatIsNoLongerServed_succeedsWhileTheDefinitionExists() {
    assertThat(define().meta().name()).isEqualTo(NAME);
    Collection former = widgets();
    ApiObject object = widget("kept");
    api.catalog().replaceAll(builtIn);

    create(former, object);

    assertThat(stored()).containsExactly("kept");
  }

  @Test
  void objectsWithoutADefinition_areRemoved() {
    create(widgets(), widget("a"));
    create(
        widgets(),
        widget("b").withMeta(widget("b").meta().with("finalizers", finalizers("x.org/hold"))));

    assertThat(types.removeAbandoned(PREFIX, NAME)).isEqualTo(2);

    assertThat(stored()).isEmpty();
  }

  @Test
  void objectsOfTheDefinitionBefore_areRemoved_thoseOfTheNextOneStay() {
    create(widgets(), widget("old"));
    assertThat(define().meta().name()).isEqualTo(NAME);
    create(widgets(), widget("young"));

    assertThat(types.removeAbandoned(PREFIX, NAME)).isEqualTo(1);

    assertThat(stored()).containsExactly("young");
  }

  private static Node finalizers(String name) {
    return Node.texts(List.of(name));
  }
}
