package dev.keelson.registry.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.LabelSelector;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field selectors on the fields that versions of custom resources declare. */
@Timeout(60)
class SelectableFieldsTest {

  private static String definition(String defaultColor) {
    String color = "'color':{'type':'string'" + defaultColor + "}";
    String version =
        "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',"
            + "'properties':{"
            + color
            + ",'size':{'type':'integer'},'on':{'type':'boolean'}}}}}},";
    return "{'metadata':{'name':'widgets.example.com','uid':'u'},"
        + "'spec':{'group':'example.com','scope':'Namespaced','names':{'plural':'widgets',"
        + "'singular':'widget','kind':'Widget','listKind':'WidgetList'},'versions':["
        + "{'name':'v1','served':true,'storage':true,"
        + version
        + "'selectableFields':[{'jsonPath':'.spec.color'},{'jsonPath':'.spec.size'},"
        + "{'jsonPath':'.spec.on'}]},"
        + "{'name':'v1beta1','served':true,'storage':false,"
        + version
        + "'selectableFields':[{'jsonPath':'.spec.size'}]}]}}";
  }

  private final LocalApi api;
  private final int builtIn;

  SelectableFieldsTest(@TempDir Path directory) {
    api = LocalApi.openStrict(directory);
    builtIn = api.catalog().snapshot().all().size();
    CustomTypes.serve(api.catalog(), definition(""));
    create("a", "{'color':'red','size':1,'on':true}");
    create("b", "{'color':'blue','size':2,'on':false}");
    create("c", "{'size':1}");
  }

  @AfterEach
  void close() {
    api.close();
  }

  private void create(String name, String spec) {
    api.create(
        "example.com/v1",
        "widgets",
        "default",
        "{'metadata':{'name':'" + name + "'},'spec':" + spec + "}");
  }

  private static ListQuery query(String selector) {
    return new ListQuery(LabelSelector.EVERYTHING, FieldSelector.parse(selector));
  }

  private String names(String version, String selector) {
    List<String> names = new ArrayList<>();
    Listing listing =
        api.registry()
            .list(
                api.collection("example.com/" + version, "widgets", "default"),
                query(selector),
                ListPage.WHOLE);
    for (StoredObject object : listing.all()) {
      names.add(api.served(object).meta().name());
    }
    return String.join(" ", names);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          spec.color=red | a
          spec.color!=red | b c
          spec.color= | c
          spec.size=1 | a c
          spec.size=1,spec.color=red | a
          spec.on=true | a
          spec.on=false | b
          spec.on!=true | b c
          metadata.name=b | b
          metadata.namespace=default | a b c
          metadata.name=b,spec.size=1 | ''
          """)
  void lists_selectByTheDeclaredFields(String selector, String expected) {
    assertThat(names("v1", selector)).isEqualTo(expected);
  }

  @Test
  void fields_areThoseOfTheVersion() {
    assertThat(names("v1beta1", "spec.size=1")).isEqualTo("a c");
    assertThatThrownBy(() -> names("v1beta1", "spec.color=red"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("field label not supported: spec.color");
    assertThatThrownBy(() -> names("v1", "spec.other=x"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("field label not supported: spec.other");
  }

  @Test
  void deleteCollection_deletesWhatIsSelected() {
    Listing deleted =
        api.registry()
            .deleteCollection(
                api.collection("example.com/v1", "widgets", "default"),
                query("spec.size=1"),
                ListPage.WHOLE,
                DeleteQuery.UNCONDITIONAL,
                WriteOptions.PERSIST,
                1);

    assertThat(deleted.all()).hasSize(2);
    assertThat(names("v1", "")).isEqualTo("b");
  }

  @Test
  void valueThatAYoungerDefaultFillsIn_isSelected() {
    for (int i = 0; i < 300; i++) {
      create("n" + i, "{'size':" + (100 + i) + "}");
    }
    for (int i = 0; i < 3; i++) {
      assertThat(names("v1", "spec.color=grey")).isEmpty();
    }
    api.catalog().replaceAll(List.copyOf(api.catalog().snapshot().all()).subList(0, builtIn));
    CustomTypes.serve(api.catalog(), definition(",'default':'grey'"));

    for (int i = 0; i < 3; i++) {
      assertThat(names("v1", "spec.color=grey").split(" ", -1)).hasSize(301);
      assertThat(names("v1", "spec.color=red")).isEqualTo("a");
    }
  }
}
