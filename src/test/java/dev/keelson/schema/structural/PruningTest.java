package dev.keelson.schema.structural;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomSchemas;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a structural schema removes from the objects of its version. */
class PruningTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          empty               | {}                                                                         | {a: 1, metadata: {x: 1}, kind: K}              | {metadata: {x: 1}, kind: K}              | a
          declared            | {properties: {a: {}, b: {properties: {c: {}}}}}                            | {a: 1, b: {c: 2, d: 3}, e: 4}                  | {a: 1, b: {c: 2}}                        | b.d,e
          wrong type stays    | {properties: {a: {type: string}, b: {type: object}}}                       | {a: {x: 1}, b: [{w: 1}, 2]}                    | {a: {}, b: [{}, 2]}                      | a.x,b[0].w
          array               | {properties: {a: {items: {properties: {b: {}}}}}}                          | {a: [{b: 1, c: 2}, 3, {c: [4]}]}               | {a: [{b: 1}, 3, {}]}                     | a[0].c,a[2].c
          array of arrays     | {properties: {a: {items: {items: {properties: {b: {}}}}}}}                 | {a: [[{b: 1, c: 2}]]}                          | {a: [[{b: 1}]]}                          | a[0][0].c
          no items            | {properties: {a: {type: array}}}                                           | {a: [{b: 1}, [2]]}                             | {a: [{}, [2]]}                           | a[0].b
          additional          | {properties: {a: {additionalProperties: {properties: {b: {}}}}}}           | {a: {x: {b: 1, c: 2}, y: 3}}                   | {a: {x: {b: 1}, y: 3}}                   | a.x.c
          additional true     | {properties: {a: {additionalProperties: true}}}                            | {a: {x: {b: 1}, y: 3}}                         | {a: {x: {}, y: 3}}                       | a.x.b
          additional false    | {properties: {a: {additionalProperties: false}}}                           | {a: {y: 3}}                                    | {a: {y: 3}}                              |
          open root           | {x-kubernetes-preserve-unknown-fields: true, properties: {a: {properties: {b: {}}}}} | {a: {b: 1, c: 2}, d: {e: 3}}         | {a: {b: 1}, d: {e: 3}}                   | a.c
          open place          | {properties: {a: {x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: object}}}}} | {a: {b: {c: 1}, d: {e: 2}}, f: 1} | {a: {b: {}, d: {e: 2}}} | a.b.c,f
          open array          | {properties: {a: {x-kubernetes-preserve-unknown-fields: true, items: {properties: {b: {type: object}}}}}} | {a: [{b: {c: 1}, d: {e: 2}}]} | {a: [{b: {}, d: {e: 2}}]} | a[0].b.c
          open array no items | {properties: {a: {x-kubernetes-preserve-unknown-fields: true}}}            | {a: [{b: {c: 1}}]}                             | {a: [{b: {c: 1}}]}                       |
          open additional     | {properties: {a: {x-kubernetes-preserve-unknown-fields: true, additionalProperties: {properties: {b: {}}}}}} | {a: {x: {b: 1, c: 2}}} | {a: {x: {b: 1}}} | a.x.c
          embedded            | {properties: {a: {x-kubernetes-embedded-resource: true, properties: {spec: {properties: {b: {}}}}}}} | {a: {kind: K, apiVersion: v1, metadata: {x: 1}, spec: {b: 1, c: 2}, status: {}}} | {a: {kind: K, apiVersion: v1, metadata: {x: 1}, spec: {b: 1}}} | a.spec.c,a.status
          not embedded        | {properties: {a: {properties: {b: {}}}}}                                   | {a: {kind: K, metadata: {x: 1}, b: 1}}         | {a: {b: 1}}                              | a.kind,a.metadata
          embedded array      | {properties: {a: {items: {x-kubernetes-embedded-resource: true}}}}         | {a: [{kind: K, x: 1}]}                         | {a: [{kind: K}]}                         | a[0].x
          """)
  void object_losesWhatIsNotDeclared(
      String name, String schema, String object, String pruned, String unknown) {
    MapNode before = CustomSchemas.object(object);
    UnknownFields found = new UnknownFields();

    MapNode after = Pruning.object(before, CustomSchemas.schema(schema), found);

    assertThat(after).isEqualTo(CustomSchemas.object(pruned));
    assertThat(String.join(",", found.sorted())).isEqualTo(unknown == null ? "" : unknown);
    assertThat(Pruning.object(before, CustomSchemas.schema(schema))).isEqualTo(after);
    assertThat(Pruning.object(after, CustomSchemas.schema(schema))).isSameAs(after);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          not nullable          | {properties: {a: {type: string}}}                                        | {a: null}                | {}
          nullable              | {properties: {a: {type: string, nullable: true}}}                        | {a: null}                | {a: null}
          with a default        | {properties: {a: {type: string, default: x}}}                            | {a: null}                | {a: null}
          with the default null | {properties: {a: {type: string, default: null}}}                         | {a: null}                | {}
          additional            | {properties: {a: {additionalProperties: {type: string}}}}                | {a: {b: null}}           | {a: {}}
          additional nullable   | {properties: {a: {additionalProperties: {type: string, nullable: true}}}} | {a: {b: null}}          | {a: {b: null}}
          additional true       | {properties: {a: {additionalProperties: true}}}                          | {a: {b: null}}           | {a: {b: null}}
          element               | {properties: {a: {items: {type: string}}}}                               | {a: [null]}              | {a: [null]}
          below an element      | {properties: {a: {items: {properties: {b: {type: string}}}}}}            | {a: [{b: null}]}         | {a: [{}]}
          undeclared in open    | {x-kubernetes-preserve-unknown-fields: true}                             | {a: null, b: {c: null}}  | {a: null, b: {c: null}}
          declared in open      | {x-kubernetes-preserve-unknown-fields: true, properties: {a: {}}}        | {a: null, b: null}       | {b: null}
          """)
  void object_losesNullWhereItIsNoValue(String name, String schema, String object, String pruned) {
    UnknownFields found = new UnknownFields();

    MapNode after =
        Pruning.object(CustomSchemas.object(object), CustomSchemas.schema(schema), found);

    assertThat(after).isEqualTo(CustomSchemas.object(pruned));
    assertThat(found.sorted()).isEmpty();
  }

  @Test
  void object_sharesWhatStays() {
    MapNode before = CustomSchemas.object("{a: {b: 1, c: [{d: 2}]}, x: {y: 1}}");
    String schema =
        "{properties: {a: {properties: {b: {}, c: {items: {properties: {d: {}}}}}}, x: {}}}";

    MapNode after = Pruning.object(before, CustomSchemas.schema(schema));

    assertThat(after.get("a")).isSameAs(before.get("a"));
    assertThat(after.get("x")).isEqualTo(MapNode.EMPTY);
  }

  @Test
  void object_reportsABoundedNumberOfUnknownFields() {
    MapNode.Builder many = MapNode.builder(100_000);
    for (int i = 0; i < 100_000; i++) {
      many.put("field" + i, Node.text("x"));
    }
    UnknownFields found = new UnknownFields();

    MapNode after = Pruning.object(many.build(), CustomSchemas.schema("{type: object}"), found);

    assertThat(after.isEmpty()).isTrue();
    assertThat(found.sorted()).hasSize(100);
  }

  @Test
  void normalForm_sortsKeysAndTypesNumbers() {
    MapNode before =
        CustomSchemas.object("{\"b\": {\"d\": 1, \"c\": 2}, \"a\": [{\"y\": 1, \"x\": 2}]}");

    MapNode after = NormalForm.of(before);

    assertThat(after.keys()).containsExactly("a", "b");
    assertThat(after.map("b").keys()).containsExactly("c", "d");
    assertThat(after.maps("a").getFirst().keys()).isEqualTo(List.of("x", "y"));
    assertThat(NormalForm.of(after)).isSameAs(after);
  }

  @ParameterizedTest
  @CsvSource({
    "1.0, 1",
    "1.50, 1.5",
    "1e3, 1000",
    "1E21, 1e+21",
    "1e18, 1000000000000000000",
    "12345678901234567890, 12345678901234567000",
    "9223372036854775808, 9223372036854776000",
    "-0, 0",
    "-0.0, 0",
    "0.0000001, 1e-7",
    "100000000000000000000, 100000000000000000000"
  })
  void normalForm_hasNumbersAsKubernetesPrintsThem(String literal, String printed) {
    Node number = NormalForm.of(new Node.Decimal(literal));

    String text =
        switch (number) {
          case Node.Int whole -> Long.toString(whole.value());
          case Node.Decimal decimal -> decimal.literal();
          default -> "";
        };
    assertThat(text).isEqualTo(printed);
  }
}
