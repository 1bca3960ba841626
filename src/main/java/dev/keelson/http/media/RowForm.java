package dev.keelson.http.media;

import dev.keelson.http.Body.Payload;
import dev.keelson.http.media.View.IncludeObject;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.json.Excerpt;
import dev.keelson.schema.codec.json.JsonOutput;
import dev.keelson.schema.codec.stored.Served;
import dev.keelson.schema.codec.stored.Splice;
import dev.keelson.schema.codec.stored.WireForm;
import dev.keelson.schema.table.CellTemplate;
import dev.keelson.schema.table.TableDefinition;
import dev.keelson.storage.Bytes;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the rows of a Table in JSON: cells from the fields that they show, and the stored bytes
 * of the object. Objects stored in protobuf are transcoded to JSON first; others go through a tree.
 * Safe for use by several threads.
 */
final class RowForm {

  private static final byte[] OBJECT = ",\"object\":".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NOTHING = ",\"object\":null}".getBytes(StandardCharsets.US_ASCII);
  private static final int ROW_BYTES = 1024;
  private static final byte[] END = {'}'};
  private static final byte[] END_BOTH = {'}', '}'};

  private final ObjectViews views;
  private final JsonForm json;
  private final String apiVersion;
  private final IncludeObject include;
  private final InstantSource clock;
  private final @Nullable EncodedForms<Shown> cached;
  private final TableDefinition table;
  private final @Nullable Excerpt excerpt;
  private final MetadataForm metadata;
  private final @Nullable StoredType type;
  private final byte @Nullable [] storedHead;
  private final AtomicReference<@Nullable WireForm> spare = new AtomicReference<>();
  private final AtomicReference<@Nullable JsonOutput> spareRow = new AtomicReference<>();

  /**
   * @param clock supplies the time for ages
   * @param cached the cache of cells; null for none
   */
  RowForm(
      ObjectViews views,
      JsonForm json,
      ResourceDefinition definition,
      View.Table view,
      IncludeObject include,
      InstantSource clock,
      @Nullable EncodedForms<Shown> cached) {
    this.cached = cached;
    this.views = views;
    this.json = json;
    this.apiVersion = view.apiVersion();
    this.include = include;
    this.clock = clock;
    table = ObjectViews.table(definition);
    excerpt = excerpt(table, definition);
    metadata = new MetadataForm(views, definition, apiVersion);
    type = definition.storage();
    storedHead = type == null ? null : Splice.storedHead(type.written().kind());
  }

  /**
   * What is shown of an object at any time.
   *
   * @param metadataEnd as that of {@link Excerpt.Found}
   */
  record Shown(CellTemplate template, int metadataEnd) {
    int size() {
      return template.size();
    }
  }

  /** What the cells need of stored bytes; null if they need the whole object. */
  private static @Nullable Excerpt excerpt(TableDefinition table, ResourceDefinition definition) {
    if (table.fields().isEmpty()) {
      return null;
    }
    Excerpt fields = Excerpt.of(table.fields());
    return definition.custom() == null ? fields : fields.withNulls();
  }

  /** Adds the row of an object. */
  void add(StoredObject object, List<Payload.Slice> out) {
    Shown cells = shown(object);
    if (cells == null) {
      JsonForm.add(out, ObjectWriter.json(views.row(object, apiVersion, include)));
      return;
    }
    JsonOutput row = output();
    cells.template.write(clock.instant(), row::raw);
    switch (include) {
      case NONE -> JsonForm.add(out, row.raw(NOTHING).toBytes());
      case OBJECT -> {
        JsonForm.add(out, row.raw(OBJECT).toBytes());
        json.object(object, out);
        JsonForm.add(out, END);
      }
      case METADATA -> {
        Served cut = cells.metadataEnd < 0 ? null : metadata.cut(object, cells.metadataEnd);
        if (cut == null) {
          JsonForm.add(out, row.raw(OBJECT).toBytes());
          metadata.add(object, out);
          JsonForm.add(out, END);
        } else {
          JsonForm.add(out, row.raw(OBJECT).raw(cut.head()).toBytes());
          JsonForm.add(out, cut);
          JsonForm.add(out, END_BOTH);
        }
      }
    }
    spareRow.set(row);
  }

  private JsonOutput output() {
    JsonOutput idle = spareRow.getAndSet(null);
    JsonOutput row = idle == null ? new JsonOutput(ROW_BYTES) : idle;
    row.clear();
    return row;
  }

  /** Returns the cells of an object, or null if they need the whole tree. */
  private @Nullable Shown shown(StoredObject object) {
    if (cached != null) {
      Shown kept = cached.find(object.value(), table, object.revision());
      if (kept != null) {
        return kept;
      }
    }
    Excerpt.Found fields = excerpt(object);
    if (fields == null) {
      return null;
    }
    JsonOutput encoding = output();
    CellTemplate template =
        CellTemplate.of(
            table,
            fields.root(),
            printed -> {
              encoding.value(ObjectViews.cells(printed));
              // without its closing brace
              encoding.back(encoding.size() - 1);
              return encoding.toBytes();
            });
    spareRow.set(encoding);
    Shown made = new Shown(template, fields.metadataEnd());
    if (cached != null) {
      cached.offer(object.value(), table, object.revision(), made);
    }
    return made;
  }

  /** Returns the fields of the cells, or null if they need the whole tree. */
  private Excerpt.@Nullable Found excerpt(StoredObject object) {
    byte[] head = storedHead;
    StoredType stored = type;
    Excerpt fields = excerpt;
    if (head == null
        || stored == null
        || fields == null
        || object.revision() == 0
        || !json.servesStoredFields(object)) {
      return null;
    }
    Bytes value = object.value();
    int from = value.offset();
    byte[] backing = value.backing();
    if (value.length() > head.length
        && Arrays.equals(backing, from, from + head.length, head, 0, head.length)) {
      return fields.read(backing, from, value.end());
    }
    return object.definition().custom() == null ? transcoded(object, stored, fields) : null;
  }

  /** The same for an object stored in protobuf, whose metadata is not in JSON. */
  private Excerpt.@Nullable Found transcoded(
      StoredObject object, StoredType stored, Excerpt fields) {
    WireForm idle = spare.getAndSet(null);
    WireForm form = idle == null ? new WireForm(stored, stored.kind(), stored.schema()) : idle;
    byte[] bytes = form.json(object.value().array(), object.revision());
    spare.set(form);
    Excerpt.Found found = bytes == null ? null : fields.read(bytes, 0, bytes.length);
    return found == null ? null : new Excerpt.Found(found.root(), -1);
  }
}
