package dev.keelson.schema.structural;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomSchemas;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a structural schema fills in. */
class StructuralDefaultsTest {

  private static MapNode complete(String schema, MapNode object) {
    return StructuralDefaults.compile(CustomSchemas.schema(schema)).complete(object);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          missing                   | {properties: {a: {default: A}, b: {default: {c: 1}, properties: {c: {}}}}}                              | {}                    | {a: A, b: {c: 1}}
          set                       | {properties: {a: {default: A}, b: {default: 1}, c: {default: []}}}                 | {a: '', b: 0, c: {}}  | {a: '', b: 0, c: {}}
          false and zero            | {properties: {a: {default: false}, b: {default: 0}, c: {default: ''}}}             | {}                    | {a: false, b: 0, c: ''}
          absent parent             | {properties: {a: {properties: {b: {default: B}}}}}                                 | {}                    | {}
          present parent            | {properties: {a: {properties: {b: {default: B}}}}}                                 | {a: {}}               | {a: {b: B}}
          below a default           | {properties: {a: {default: {}, properties: {b: {default: B}}}}}                    | {}                    | {a: {b: B}}
          elements                  | {properties: {a: {items: {properties: {b: {default: B}}}}}}                        | {a: [{}, {b: C}, 1]}  | {a: [{b: B}, {b: C}, 1]}
          nested elements           | {properties: {a: {items: {items: {properties: {b: {default: B}}}}}}}               | {a: [[{}]]}           | {a: [[{b: B}]]}
          additional                | {properties: {a: {additionalProperties: {properties: {b: {default: B}}}}}}         | {a: {x: {}, y: 1}}    | {a: {x: {b: B}, y: 1}}
          additional true           | {properties: {a: {additionalProperties: true}}}                                    | {a: {x: {}}}          | {a: {x: {}}}
          declared before additional | {properties: {a: {additionalProperties: {properties: {b: {default: B}}}, properties: {x: {properties: {c: {default: C}}}}}}} | {a: {x: {}}} | {a: {x: {c: C}}}
          null is missing           | {properties: {a: {default: A}}}                                                    | {a: null}             | {a: A}
          null is a value           | {properties: {a: {nullable: true, default: A}}}                                    | {a: null}             | {a: null}
          missing nullable          | {properties: {a: {nullable: true, default: A}}}                                    | {}                    | {a: A}
          null element              | {properties: {a: {items: {default: A}}}}                                           | {a: [null, B]}        | {a: [A, B]}
          null nullable element     | {properties: {a: {items: {nullable: true, default: A}}}}                           | {a: [null]}           | {a: [null]}
          null element, no default  | {properties: {a: {items: {properties: {b: {default: B}}}}}}                        | {a: [null]}           | {a: [null]}
          null entry                | {properties: {a: {additionalProperties: {default: A}}}}                            | {a: {b: null}}        | {a: {b: A}}
          null nullable entry       | {properties: {a: {additionalProperties: {nullable: true, default: A}}}}            | {a: {b: null}}        | {a: {b: null}}
          null entry completed      | {properties: {a: {additionalProperties: {default: {}, properties: {b: {default: B}}}}}} | {a: {x: null}}   | {a: {x: {b: B}}}
          default null              | {properties: {a: {default: null}}}                                                 | {}                    | {}
          pruned default            | {properties: {a: {type: object, default: {b: 1, x: 2}, properties: {b: {}}}}}      | {}                    | {a: {b: 1}}
          wrong type                | {properties: {a: {properties: {b: {default: B}}}}}                                 | {a: text}             | {a: text}
          embedded metadata         | {properties: {a: {x-kubernetes-embedded-resource: true, properties: {metadata: {type: object, default: {name: n}}}}}} | {a: {}} | {a: {metadata: {name: n}}}
          embedded labels           | {properties: {a: {x-kubernetes-embedded-resource: true, properties: {metadata: {properties: {labels: {type: object, default: {x: y}}}}}}}} | {a: {metadata: {}}} | {a: {metadata: {labels: {x: y}}}}
          other embedded fields     | {properties: {a: {x-kubernetes-embedded-resource: true, properties: {spec: {type: object, default: {x: y}}}}}} | {a: {}} | {a: {spec: {}}}
          root open                 | {x-kubernetes-preserve-unknown-fields: true, properties: {a: {default: A}}}        | {z: 1}                | {z: 1, a: A}
          """)
  void complete_fillsInWhatIsMissing(String name, String schema, String object, String completed) {
    MapNode after = complete(schema, CustomSchemas.object(object));

    assertThat(after).isEqualTo(CustomSchemas.object(completed));
    assertThat(complete(schema, after)).isSameAs(after);
  }

  @Test
  void complete_sharesWhatIsComplete() {
    MapNode before = CustomSchemas.object("{a: {b: 1}, c: {}}");
    String schema =
        "{properties: {a: {properties: {b: {default: 2}}}, c: {properties: {d: {default: 3}}}}}";

    MapNode after = complete(schema, before);

    assertThat(after.get("a")).isSameAs(before.get("a"));
    assertThat(after.map("c").get("d")).isEqualTo(new Node.Int(3));
  }

  @Test
  void complete_hasDefaultsInNormalForm() {
    Node completed =
        complete(
                "{\"properties\": {\"a\": {\"x-kubernetes-preserve-unknown-fields\": true,"
                    + " \"default\": {\"z\": 1.0, \"b\": 2}}}}",
                MapNode.EMPTY)
            .map("a");

    assertThat(((MapNode) completed).keys()).containsExactly("b", "z");
    assertThat(((MapNode) completed).get("z")).isEqualTo(new Node.Int(1));
  }

  @Test
  void complete_ofManyEntriesTakesOnePass() {
    MapNode.Builder many = MapNode.builder(200_000);
    for (int i = 0; i < 200_000; i++) {
      many.put("key" + i, MapNode.EMPTY);
    }
    String schema = "{properties: {a: {additionalProperties: {properties: {b: {default: B}}}}}}";

    MapNode after = complete(schema, MapNode.of("a", many.build()));

    assertThat(after.map("a").map("key199999").text("b")).isEqualTo("B");
  }

  @Test
  void isEmpty_withoutDefaults() {
    assertThat(
            StructuralDefaults.compile(
                    CustomSchemas.schema("{properties: {a: {items: {properties: {b: {}}}}}}"))
                .isEmpty())
        .isTrue();
  }
}
