package dev.keelson.object;

import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoFloat;
import dev.keelson.value.GoQuote;
import java.util.Objects;
import java.util.TreeSet;

/** Values of untyped documents as Go prints them, which is how Kubernetes' messages show them. */
public final class GoText {

  /** Messages travel in a Status; a longer value is cut; its beginning identifies it. */
  private static final int MAX_CHARACTERS = 2048;

  /** The verb of Go's {@code fmt}. */
  private enum Verb {
    /** {@code %v}. */
    VALUE,
    /** {@code %#v}. */
    SYNTAX
  }

  private final StringBuilder out = new StringBuilder();
  private final Verb verb;

  private GoText(Verb verb) {
    this.verb = verb;
  }

  /** The value as {@code %v} prints it: {@code map[name:web ports:[map[port:80]]]}. */
  public static String of(Node node) {
    return text(node, Verb.VALUE);
  }

  /** The value as {@code %#v} prints it: {@code map[string]interface {}{"name":"web"}}. */
  public static String syntax(Node node) {
    return text(node, Verb.SYNTAX);
  }

  private static String text(Node node, Verb verb) {
    GoText text = new GoText(verb);
    text.append(node);
    if (text.full()) {
      text.out.setLength(MAX_CHARACTERS);
      text.out.append(" ...");
    }
    return text.out.toString();
  }

  /** The word that Go's decoder uses for the JSON type of {@code node}. */
  public static String jsonType(Node node) {
    return switch (node) {
      case Node.Text _ -> "string";
      case Node.Int _, Node.Decimal _ -> "number";
      case Node.Bool _ -> "bool";
      case Node.Null _ -> "null";
      case Items _ -> "array";
      case MapNode _ -> "object";
    };
  }

  private boolean full() {
    return out.length() > MAX_CHARACTERS;
  }

  private void append(Node node) {
    if (full()) {
      return;
    }
    switch (node) {
      case Node.Text text -> append(text.value());
      case Node.Int number -> out.append(number.value());
      case Node.Decimal number -> out.append(number(number.literal()));
      case Node.Bool bool -> out.append(bool.value());
      case Node.Null _ -> out.append(verb == Verb.VALUE ? "<nil>" : "interface {}(nil)");
      case Items items -> {
        out.append(verb == Verb.VALUE ? "[" : "[]interface {}{");
        String separator = "";
        for (Node item : items.values()) {
          out.append(separator);
          append(item);
          separator = separator();
        }
        out.append(verb == Verb.VALUE ? ']' : '}');
      }
      case MapNode map -> {
        out.append(verb == Verb.VALUE ? "map[" : "map[string]interface {}{");
        String separator = "";
        for (String key : new TreeSet<>(map.keys())) {
          out.append(separator);
          append(key);
          out.append(':');
          append(Objects.requireNonNullElse(map.get(key), Node.Null.NULL));
          separator = separator();
        }
        out.append(verb == Verb.VALUE ? ']' : '}');
      }
    }
  }

  private static String number(String literal) {
    double value = Double.parseDouble(literal);
    return Double.isInfinite(value) ? (value > 0 ? "+Inf" : "-Inf") : GoFloat.print(value);
  }

  private void append(String text) {
    if (verb == Verb.VALUE) {
      out.append(text);
    } else {
      GoQuote.append(text, out);
    }
  }

  private String separator() {
    return verb == Verb.VALUE ? " " : ", ";
  }
}
