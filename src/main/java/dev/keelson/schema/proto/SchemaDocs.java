package dev.keelson.schema.proto;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The comments of {@code src/main/proto}, which are the descriptions that OpenAPI documents and
 * {@code kubectl explain} show. Safe for use by several threads; a package's comments are read when
 * one of them is first asked for.
 */
public final class SchemaDocs {

  private static final String RESOURCE = "/keelson/schema-docs.binpb";
  private static final int FILE_MESSAGE = 4;
  private static final int FILE_SOURCE_INFO = 9;
  private static final int MESSAGE_FIELD = 2;

  private static final Map<String, String> TYPED =
      Map.of(
          "kind",
          "The type of this object, a CamelCase word. Servers infer it from the path that a client"
              + " writes to; it cannot be changed.",
          "apiVersion",
          "The group and version of this object's schema, written group/version, or the version"
              + " alone in the core group.");

  private final DescriptorSet set;
  private final Map<String, Map<String, MessageDocs>> byPackage = new ConcurrentHashMap<>();

  /**
   * The comments of one message.
   *
   * @param text of the message itself
   * @param fields by JSON name; every field has an entry, perhaps an empty one
   * @param inlined the full names of the messages whose fields stand in this one's JSON object
   */
  private record MessageDocs(String text, Map<String, String> fields, List<String> inlined) {}

  SchemaDocs(DescriptorSet set) {
    this.set = set;
  }

  /**
   * The comments that the build put on the class path.
   *
   * @throws IllegalStateException if they are not there
   */
  public static SchemaDocs fromClassPath() {
    return new SchemaDocs(DescriptorSet.ofResource(RESOURCE));
  }

  /**
   * What is said of a type.
   *
   * @param messageName its full name, for example {@code io.k8s.api.core.v1.Pod}
   * @return one or more lines without markup, paragraphs separated by an empty line; empty if
   *     nothing is said or there is no such message
   */
  public String describe(String messageName) {
    MessageDocs docs = docs(messageName);
    return docs == null ? "" : docs.text;
  }

  /**
   * What is said of a field; inlined fields are found where they are declared.
   *
   * @param messageName the full name of the type whose JSON object shows the field
   * @param jsonField the field's JSON name
   * @return as {@link #describe(String)} does
   */
  public String describe(String messageName, String jsonField) {
    String text = find(messageName, jsonField);
    return text != null ? text : TYPED.getOrDefault(jsonField, "");
  }

  private @Nullable String find(String messageName, String jsonField) {
    MessageDocs docs = docs(messageName);
    if (docs == null) {
      return null;
    }
    String own = docs.fields.get(jsonField);
    if (own != null) {
      return own;
    }
    for (String inner : docs.inlined) {
      String text = find(inner, jsonField);
      if (text != null) {
        return text;
      }
    }
    return null;
  }

  private @Nullable MessageDocs docs(String messageName) {
    int dot = messageName.lastIndexOf('.');
    String packageName = messageName.substring(0, Math.max(dot, 0));
    if (set.files(packageName).isEmpty()) {
      return null;
    }
    return byPackage.computeIfAbsent(packageName, this::read).get(messageName.substring(dot + 1));
  }

  private Map<String, MessageDocs> read(String packageName) {
    Map<String, MessageDocs> docs = new HashMap<>();
    for (Slice file : set.files(packageName)) {
      readFile(file, docs);
    }
    return Map.copyOf(docs);
  }

  private void readFile(Slice file, Map<String, MessageDocs> docs) {
    List<Slice> messages = new ArrayList<>();
    Map<List<Integer>, String> comments = new HashMap<>();
    WireReader in = set.open(file);
    for (int next = in.next(); next != 0; next = in.next()) {
      switch (next) {
        case FILE_MESSAGE -> messages.add(in.slice());
        case FILE_SOURCE_INFO -> readComments(in.message(), comments);
        default -> in.skip();
      }
    }
    for (int i = 0; i < messages.size(); i++) {
      MessageDescriptor message = MessageDescriptor.parse(set.open(messages.get(i)));
      Map<String, String> fields = new HashMap<>();
      List<String> inlined = new ArrayList<>(0);
      for (int j = 0; j < message.fields().size(); j++) {
        FieldDescriptor field = message.fields().get(j);
        if (field.rules().inline()) {
          inlined.add(field.typeName());
        } else {
          fields.put(
              field.jsonName(),
              comments.getOrDefault(List.of(FILE_MESSAGE, i, MESSAGE_FIELD, j), ""));
        }
      }
      docs.put(
          message.name(),
          new MessageDocs(
              comments.getOrDefault(List.of(FILE_MESSAGE, i), ""),
              Map.copyOf(fields),
              List.copyOf(inlined)));
    }
  }

  /** Reads a SourceCodeInfo; the paths are those that descriptor.proto explains at Location. */
  private static void readComments(WireReader in, Map<List<Integer>, String> comments) {
    for (int next = in.next(); next != 0; next = in.next()) {
      if (next == 1) {
        readLocation(in.message(), comments);
      } else {
        in.skip();
      }
    }
  }

  private static void readLocation(WireReader in, Map<List<Integer>, String> comments) {
    List<Integer> path = new ArrayList<>(4);
    String leading = "";
    String trailing = "";
    for (int next = in.next(); next != 0; next = in.next()) {
      switch (next) {
        case 1 -> {
          WireReader packed = in.message();
          while (!packed.atEnd()) {
            path.add(packed.integer());
          }
        }
        case 3 -> leading = in.string();
        case 4 -> trailing = in.string();
        default -> in.skip();
      }
    }
    String text = paragraphs(leading.isEmpty() ? trailing : leading);
    if (!text.isEmpty()) {
      comments.put(List.copyOf(path), text);
    }
  }

  /** Joins the lines of each paragraph; line breaks of the source have no meaning. */
  private static String paragraphs(String comment) {
    StringBuilder text = new StringBuilder(comment.length());
    boolean newParagraph = false;
    for (String raw : comment.split("\n", -1)) {
      String line = raw.strip();
      if (line.isEmpty()) {
        newParagraph = !text.isEmpty();
        continue;
      }
      if (!text.isEmpty()) {
        text.append(newParagraph ? "\n\n" : " ");
      }
      newParagraph = false;
      text.append(line);
    }
    return text.toString();
  }
}
