package dev.keelson.schema.codec.yaml;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Decimal;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.object.Node.Text;
import dev.keelson.schema.codec.json.JsonOutput;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.Decoded;
import dev.keelson.schema.codec.tree.Problems;
import dev.keelson.schema.codec.tree.Tokens;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.codec.yaml.YamlPart.Alias;
import dev.keelson.schema.codec.yaml.YamlPart.Mapping;
import dev.keelson.schema.codec.yaml.YamlPart.Scalar;
import dev.keelson.schema.codec.yaml.YamlPart.Sequence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A YAML body as the JSON tree that Kubernetes makes of it (sigs.k8s.io/yaml on go-yaml v2): the
 * scalars of YAML 1.1, keys as strings, aliases and merges resolved.
 */
public final class YamlDocument {

  private static final String MERGE_TAG = "tag:yaml.org,2002:merge";

  /**
   * What aliases may add to a document: its characters, and a fixed price for every value. Small
   * against memory, large against what people repeat in one object; go-yaml counts values alone, so
   * that a long string could still be repeated without bound.
   */
  private static final long ALIAS_BUDGET = 4L << 20;

  private static final int VALUE_PRICE = 64;

  private final Problems problems = new Problems();
  private final Set<Alias> open = Collections.newSetFromMap(new IdentityHashMap<>(0));
  private long spent;
  private int depth;

  private final Node root;

  private YamlDocument(YamlPart root) {
    this.root = node(root);
  }

  /**
   * Reads a body.
   *
   * @throws DecodeException if it is not one YAML document, or aliases make it too large
   */
  public static YamlDocument read(byte[] yaml) {
    return read(yaml, TreeBudget.unbounded());
  }

  /**
   * Reads a body within a budget, which aliases do not count in: they have their own.
   *
   * @throws DecodeException as {@link #read(byte[])} does, and beyond the budget
   */
  public static YamlDocument read(byte[] yaml, TreeBudget budget) {
    YamlPart root = YamlComposer.compose(yaml, budget);
    if (root == null) {
      throw YamlErrors.syntax("the document is empty");
    }
    return new YamlDocument(root);
  }

  public Node root() {
    return root;
  }

  /** Duplicate keys of one mapping, in the words of {@link Decoded#problems()}. */
  public Set<String> problems() {
    return problems.texts();
  }

  private Node node(YamlPart part) {
    charge(part);
    return switch (part) {
      case Scalar scalar -> scalar(scalar);
      case Sequence sequence -> sequence(sequence);
      case Mapping mapping -> {
        Map<String, Node> entries = new LinkedHashMap<>();
        entries(mapping, entries);
        yield MapNode.copyOf(entries);
      }
      case Alias alias -> {
        enter(alias);
        Node node = node(alias.target());
        open.remove(alias);
        yield node;
      }
    };
  }

  private void charge(YamlPart part) {
    if (!open.isEmpty()) {
      spent += VALUE_PRICE + (part instanceof Scalar scalar ? scalar.text().length() : 0);
      if (spent > ALIAS_BUDGET) {
        throw YamlErrors.limit("document contains excessive aliasing");
      }
    }
  }

  private void enter(Alias alias) {
    if (!open.add(alias)) {
      throw YamlErrors.syntax("anchor '" + alias.anchor() + "' value contains itself");
    }
  }

  private void descend() {
    if (++depth > Tokens.MAX_DEPTH) {
      throw YamlErrors.tooDeep();
    }
  }

  private static Node scalar(Scalar scalar) {
    return scalar.tag().isEmpty() && scalar.plain()
        ? YamlScalars.plain(scalar.text())
        : YamlScalars.tagged(scalar.tag(), scalar.text());
  }

  private Items sequence(Sequence sequence) {
    descend();
    List<Node> values = new ArrayList<>(sequence.parts().size());
    for (YamlPart part : sequence.parts()) {
      values.add(node(part));
    }
    depth--;
    return values.isEmpty() ? Items.EMPTY : new Items(values);
  }

  /**
   * Puts the entries of a mapping into {@code entries}. As in go-yaml, merged entries are put where
   * the merge stands: whatever comes later replaces what was there before and counts as set twice.
   */
  private void entries(Mapping mapping, Map<String, Node> entries) {
    descend();
    List<YamlPart> parts = mapping.parts();
    for (int i = 0; i < parts.size(); i += 2) {
      YamlPart value = parts.get(i + 1);
      if (merge(parts.get(i))) {
        merge(value, entries);
        continue;
      }
      Node key = node(parts.get(i));
      if (entries.put(key(key, parts.get(i)), node(value)) != null && !problems.full()) {
        problems.add("line " + value.line() + ": key " + described(key) + " already set in map");
      }
    }
    depth--;
  }

  private static boolean merge(YamlPart key) {
    return key instanceof Scalar scalar
        && scalar.text().equals("<<")
        && (scalar.tag().isEmpty() ? scalar.plain() : scalar.tag().equals(MERGE_TAG));
  }

  private void merge(YamlPart value, Map<String, Node> entries) {
    if (value instanceof Sequence sequence) {
      // what stands first wins, so it comes last
      for (YamlPart part : sequence.parts().reversed()) {
        mergeOne(part, entries);
      }
    } else {
      mergeOne(value, entries);
    }
  }

  private void mergeOne(YamlPart value, Map<String, Node> entries) {
    switch (value) {
      case Mapping mapping -> {
        charge(mapping);
        entries(mapping, entries);
      }
      case Alias alias when alias.target() instanceof Mapping mapping -> {
        enter(alias);
        charge(mapping);
        entries(mapping, entries);
        open.remove(alias);
      }
      case Alias _, Scalar _, Sequence _ ->
          throw YamlErrors.syntax(
              "line " + value.line() + ": map merge requires map or sequence of maps as the value");
    }
  }

  private static String key(Node key, YamlPart part) {
    return switch (key) {
      case Text text -> text.value();
      case Int number -> Long.toString(number.value());
      case Bool bool -> bool.value() ? "true" : "false";
      case Decimal number -> YamlScalars.key(number);
      case Null _, MapNode _, Items _ ->
          throw YamlErrors.syntax(
              "line "
                  + part.line()
                  + ": invalid map key, it must be a string, a number or a boolean");
    };
  }

  private static String described(Node key) {
    return switch (key) {
      case Text _ -> new String(JsonOutput.json(key), java.nio.charset.StandardCharsets.UTF_8);
      case Bool bool -> bool.value() ? "true" : "false";
      case Int number -> Long.toString(number.value());
      case Decimal number -> number.literal();
      case Null _, MapNode _, Items _ ->
          throw new IllegalStateException("no key of a mapping: " + key);
    };
  }
}
