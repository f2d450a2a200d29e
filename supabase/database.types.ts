// Written by `npm run schema`.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      admin_acts: {
        Row: {
          act: string;
          admin_id: string | null;
          at: string;
          id: number;
          "new": Json | null;
          old: Json | null;
          person_id: string | null;
          row_id: string;
          table_name: string;
          title: string | null;
        };
        ComputedFields: never;
        Insert: {
          act: string;
          admin_id?: string | null;
          at?: string;
          id?: never;
          "new"?: Json | null;
          old?: Json | null;
          person_id?: string | null;
          row_id: string;
          table_name: string;
          title?: string | null;
        };
        Update: {
          act?: string;
          admin_id?: string | null;
          at?: string;
          id?: never;
          "new"?: Json | null;
          old?: Json | null;
          person_id?: string | null;
          row_id?: string;
          table_name?: string;
          title?: string | null;
        };
        Relationships: [];
      };
      ads: {
        Row: {
          ad_code: string;
          enabled: boolean;
          id: string;
          placement: string;
          updated_at: string;
        };
        ComputedFields: never;
        Insert: {
          ad_code?: string;
          enabled?: boolean;
          id?: string;
          placement: string;
          updated_at?: string;
        };
        Update: {
          ad_code?: string;
          enabled?: boolean;
          id?: string;
          placement?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
      age_bands: {
        Row: {
          band: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          band: string;
          user_id: string;
        };
        Update: {
          band?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "age_bands_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: true;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      appeals: {
        Row: {
          answer: string | null;
          answered_at: string | null;
          answered_by: string | null;
          created_at: string;
          granted: boolean | null;
          message: string;
          sanction_id: string;
        };
        ComputedFields: never;
        Insert: {
          answer?: string | null;
          answered_at?: string | null;
          answered_by?: string | null;
          created_at?: string;
          granted?: boolean | null;
          message: string;
          sanction_id: string;
        };
        Update: {
          answer?: string | null;
          answered_at?: string | null;
          answered_by?: string | null;
          created_at?: string;
          granted?: boolean | null;
          message?: string;
          sanction_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "appeals_answered_by_fkey";
            columns: ["answered_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "appeals_sanction_id_fkey";
            columns: ["sanction_id"];
            isOneToOne: true;
            referencedRelation: "sanctions";
            referencedColumns: ["id"];
          },
        ];
      };
      archived_items: {
        Row: {
          archived_at: string;
          archived_by: string | null;
          id: string;
          image_url: string | null;
          item: NonNullable<Json>;
          name: string;
          people: string[];
          records: NonNullable<Json>;
          slug: string;
          value_change_count: number;
        };
        ComputedFields: never;
        Insert: {
          archived_at?: string;
          archived_by?: string | null;
          id: string;
          image_url?: never;
          item: NonNullable<Json>;
          name?: never;
          people?: string[];
          records: NonNullable<Json>;
          slug?: never;
          value_change_count?: never;
        };
        Update: {
          archived_at?: string;
          archived_by?: string | null;
          id?: string;
          image_url?: never;
          item?: NonNullable<Json>;
          name?: never;
          people?: string[];
          records?: NonNullable<Json>;
          slug?: never;
          value_change_count?: never;
        };
        Relationships: [
          {
            foreignKeyName: "archived_items_archived_by_fkey";
            columns: ["archived_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      case_notes: {
        Row: {
          author_id: string | null;
          created_at: string;
          id: string;
          note: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          author_id?: string | null;
          created_at?: string;
          id?: string;
          note: string;
          user_id: string;
        };
        Update: {
          author_id?: string | null;
          created_at?: string;
          id?: string;
          note?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "case_notes_author_id_fkey";
            columns: ["author_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "case_notes_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      categories: {
        Row: {
          created_at: string;
          display_order: number;
          icon: string;
          id: string;
          name: string;
          slug: string;
          updated_at: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          display_order?: number;
          icon?: string;
          id?: string;
          name: string;
          slug: string;
          updated_at?: string;
        };
        Update: {
          created_at?: string;
          display_order?: number;
          icon?: string;
          id?: string;
          name?: string;
          slug?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
      change_pictures: {
        Row: {
          name: string;
          shown_at: string;
        };
        ComputedFields: never;
        Insert: {
          name: string;
          shown_at?: string;
        };
        Update: {
          name?: string;
          shown_at?: string;
        };
        Relationships: [];
      };
      chat_messages: {
        Row: {
          created_at: string;
          id: string;
          items: string | null;
          mentions: string[] | null;
          message: string;
          phrase: string | null;
          reply_to: string | null;
          trade: string | null;
          user_id: string;
          username: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          id?: string;
          items?: string | null;
          mentions?: string[] | null;
          message?: string;
          phrase?: string | null;
          reply_to?: string | null;
          trade?: string | null;
          user_id?: string;
          username?: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          items?: string | null;
          mentions?: string[] | null;
          message?: string;
          phrase?: string | null;
          reply_to?: string | null;
          trade?: string | null;
          user_id?: string;
          username?: string;
        };
        Relationships: [
          {
            foreignKeyName: "chat_messages_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      chat_mutes: {
        Row: {
          created_at: string;
          muted_user_id: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          muted_user_id: string;
          user_id?: string;
        };
        Update: {
          created_at?: string;
          muted_user_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "chat_mutes_muted_user_id_fkey";
            columns: ["muted_user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "chat_mutes_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      chat_originals: {
        Row: {
          created_at: string;
          message: string;
          message_id: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          message: string;
          message_id: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          message?: string;
          message_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "chat_originals_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      chat_reactions: {
        Row: {
          created_at: string;
          emoji: string;
          message_id: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          emoji: string;
          message_id: string;
          user_id?: string;
        };
        Update: {
          created_at?: string;
          emoji?: string;
          message_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "chat_reactions_message_id_fkey";
            columns: ["message_id"];
            isOneToOne: false;
            referencedRelation: "chat_messages";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "chat_reactions_message_id_fkey";
            columns: ["message_id"];
            isOneToOne: false;
            referencedRelation: "shown_chat_messages";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "chat_reactions_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      chat_silences: {
        Row: {
          created_at: string;
          created_by: string | null;
          reason: string;
          until: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          created_by?: string | null;
          reason: string;
          until?: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          reason?: string;
          until?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "chat_silences_created_by_fkey";
            columns: ["created_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "chat_silences_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: true;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      contact_messages: {
        Row: {
          created_at: string;
          email: string;
          id: string;
          mailed_at: string | null;
          message: string;
          name: string;
          subject: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          email: string;
          id?: string;
          mailed_at?: string | null;
          message: string;
          name: string;
          subject: string;
        };
        Update: {
          created_at?: string;
          email?: string;
          id?: string;
          mailed_at?: string | null;
          message?: string;
          name?: string;
          subject?: string;
        };
        Relationships: [];
      };
      deleted_chat_messages: {
        Row: {
          created_at: string;
          deleted_at: string;
          id: string;
          message: string;
          user_id: string;
          username: string;
        };
        ComputedFields: never;
        Insert: {
          created_at: string;
          deleted_at?: string;
          id: string;
          message: string;
          user_id: string;
          username: string;
        };
        Update: {
          created_at?: string;
          deleted_at?: string;
          id?: string;
          message?: string;
          user_id?: string;
          username?: string;
        };
        Relationships: [
          {
            foreignKeyName: "deleted_chat_messages_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      editor_names: {
        Row: {
          id: string;
          name: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          id?: string;
          name: string;
          user_id?: string;
        };
        Update: {
          id?: string;
          name?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "editor_names_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: true;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      editor_notices: {
        Row: {
          count: number;
          created_at: string;
          id: number;
          items: string[];
          kind: string;
          webhook_next_at: string | null;
          webhook_sent_at: string | null;
          webhook_tries: number;
        };
        ComputedFields: never;
        Insert: {
          count: number;
          created_at?: string;
          id?: never;
          items?: string[];
          kind: string;
          webhook_next_at?: string | null;
          webhook_sent_at?: string | null;
          webhook_tries?: number;
        };
        Update: {
          count?: number;
          created_at?: string;
          id?: never;
          items?: string[];
          kind?: string;
          webhook_next_at?: string | null;
          webhook_sent_at?: string | null;
          webhook_tries?: number;
        };
        Relationships: [];
      };
      field_definitions: {
        Row: {
          created_at: string;
          display_order: number;
          id: string;
          label: string;
          name: string;
          options: string[];
          required: boolean;
          type: string;
          updated_at: string;
          visible: boolean;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          display_order?: number;
          id?: string;
          label: string;
          name: string;
          options?: string[];
          required?: boolean;
          type?: string;
          updated_at?: string;
          visible?: boolean;
        };
        Update: {
          created_at?: string;
          display_order?: number;
          id?: string;
          label?: string;
          name?: string;
          options?: string[];
          required?: boolean;
          type?: string;
          updated_at?: string;
          visible?: boolean;
        };
        Relationships: [];
      };
      former_slugs: {
        Row: {
          item_id: string;
          left_at: string;
          slug: string;
        };
        ComputedFields: never;
        Insert: {
          item_id: string;
          left_at?: string;
          slug: string;
        };
        Update: {
          item_id?: string;
          left_at?: string;
          slug?: string;
        };
        Relationships: [
          {
            foreignKeyName: "former_slugs_item_id_fkey";
            columns: ["item_id"];
            isOneToOne: false;
            referencedRelation: "items";
            referencedColumns: ["id"];
          },
        ];
      };
      game_update_items: {
        Row: {
          item_id: string;
          update_id: string;
        };
        ComputedFields: never;
        Insert: {
          item_id: string;
          update_id: string;
        };
        Update: {
          item_id?: string;
          update_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "game_update_items_item_id_fkey";
            columns: ["item_id"];
            isOneToOne: false;
            referencedRelation: "items";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "game_update_items_update_id_fkey";
            columns: ["update_id"];
            isOneToOne: false;
            referencedRelation: "game_updates";
            referencedColumns: ["id"];
          },
        ];
      };
      game_updates: {
        Row: {
          created_at: string;
          happened_at: string;
          id: string;
          name: string;
          updated_at: string;
          volatile_until: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          happened_at?: string;
          id?: string;
          name: string;
          updated_at?: string;
          volatile_until?: string;
        };
        Update: {
          created_at?: string;
          happened_at?: string;
          id?: string;
          name?: string;
          updated_at?: string;
          volatile_until?: string;
        };
        Relationships: [];
      };
      item_demand_changes: {
        Row: {
          changed_as: string | null;
          changed_at: string;
          changed_by: string | null;
          evidence_url: string | null;
          id: number;
          is_seconded: boolean;
          item_id: string;
          kind: string;
          new_word: string | null;
          old_word: string | null;
          picture: string | null;
          reason: string | null;
          reason_code: string | null;
        };
        ComputedFields: never;
        Insert: {
          changed_as?: string | null;
          changed_at?: string;
          changed_by?: string | null;
          evidence_url?: string | null;
          id?: never;
          is_seconded?: boolean;
          item_id: string;
          kind: string;
          new_word?: string | null;
          old_word?: string | null;
          picture?: string | null;
          reason?: string | null;
          reason_code?: string | null;
        };
        Update: {
          changed_as?: string | null;
          changed_at?: string;
          changed_by?: string | null;
          evidence_url?: string | null;
          id?: never;
          is_seconded?: boolean;
          item_id?: string;
          kind?: string;
          new_word?: string | null;
          old_word?: string | null;
          picture?: string | null;
          reason?: string | null;
          reason_code?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "item_demand_changes_changed_by_fkey";
            columns: ["changed_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "item_demand_changes_item_id_fkey";
            columns: ["item_id"];
            isOneToOne: false;
            referencedRelation: "items";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "item_demand_changes_reason_code_fkey";
            columns: ["reason_code"];
            isOneToOne: false;
            referencedRelation: "value_reasons";
            referencedColumns: ["code"];
          },
        ];
      };
      item_imports: {
        Row: {
          id: string;
          imported_at: string;
          rows: NonNullable<Json>;
        };
        ComputedFields: never;
        Insert: {
          id: string;
          imported_at?: string;
          rows: NonNullable<Json>;
        };
        Update: {
          id?: string;
          imported_at?: string;
          rows?: NonNullable<Json>;
        };
        Relationships: [];
      };
      item_value_changes: {
        Row: {
          change_percent: number | null;
          changed_as: string | null;
          changed_at: string;
          changed_by: string | null;
          evidence_url: string | null;
          id: number;
          is_seconded: boolean;
          item_id: string;
          mode: string;
          new_number: number | null;
          new_previous_value: string | null;
          new_value: string | null;
          old_checked_at: string | null;
          old_high: string | null;
          old_low: string | null;
          old_number: number | null;
          old_previous_value: string | null;
          old_value: string | null;
          picture: string | null;
          reason: string | null;
          reason_code: string | null;
        };
        ComputedFields: never;
        Insert: {
          change_percent?: never;
          changed_as?: string | null;
          changed_at?: string;
          changed_by?: string | null;
          evidence_url?: string | null;
          id?: never;
          is_seconded?: boolean;
          item_id: string;
          mode: string;
          new_number?: never;
          new_previous_value?: string | null;
          new_value?: string | null;
          old_checked_at?: string | null;
          old_high?: string | null;
          old_low?: string | null;
          old_number?: never;
          old_previous_value?: string | null;
          old_value?: string | null;
          picture?: string | null;
          reason?: string | null;
          reason_code?: string | null;
        };
        Update: {
          change_percent?: never;
          changed_as?: string | null;
          changed_at?: string;
          changed_by?: string | null;
          evidence_url?: string | null;
          id?: never;
          is_seconded?: boolean;
          item_id?: string;
          mode?: string;
          new_number?: never;
          new_previous_value?: string | null;
          new_value?: string | null;
          old_checked_at?: string | null;
          old_high?: string | null;
          old_low?: string | null;
          old_number?: never;
          old_previous_value?: string | null;
          old_value?: string | null;
          picture?: string | null;
          reason?: string | null;
          reason_code?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "item_value_changes_changed_by_fkey";
            columns: ["changed_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "item_value_changes_item_id_fkey";
            columns: ["item_id"];
            isOneToOne: false;
            referencedRelation: "items";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "item_value_changes_reason_code_fkey";
            columns: ["reason_code"];
            isOneToOne: false;
            referencedRelation: "value_reasons";
            referencedColumns: ["code"];
          },
        ];
      };
      item_value_checks: {
        Row: {
          checked_at: string;
          checked_by: string | null;
          id: number;
          item_id: string;
        };
        ComputedFields: never;
        Insert: {
          checked_at?: string;
          checked_by?: string | null;
          id?: never;
          item_id: string;
        };
        Update: {
          checked_at?: string;
          checked_by?: string | null;
          id?: never;
          item_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "item_value_checks_checked_by_fkey";
            columns: ["checked_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "item_value_checks_item_id_fkey";
            columns: ["item_id"];
            isOneToOne: false;
            referencedRelation: "items";
            referencedColumns: ["id"];
          },
        ];
      };
      items: {
        Row: {
          aliases: string;
          beli_price: string | null;
          beli_price_number: number | null;
          category_id: string | null;
          change_reason: string | null;
          created_at: string;
          current_high: string | null;
          current_low: string | null;
          current_value: string;
          current_value_number: number | null;
          custom_fields: NonNullable<Json>;
          demand: string;
          id: string;
          image_url: string | null;
          is_permanent: boolean;
          name: string;
          permanent_high: string | null;
          permanent_low: string | null;
          permanent_previous_value: string | null;
          permanent_previous_value_number: number | null;
          permanent_value: string | null;
          permanent_value_number: number | null;
          previous_value: string;
          previous_value_number: number | null;
          rarity: string;
          robux_price: string | null;
          robux_price_number: number | null;
          slug: string;
          status: string | null;
          type: string;
          updated_at: string;
          values_checked_at: string;
        };
        ComputedFields: never;
        Insert: {
          aliases?: string;
          beli_price?: string | null;
          beli_price_number?: never;
          category_id?: string | null;
          change_reason?: string | null;
          created_at?: string;
          current_high?: string | null;
          current_low?: string | null;
          current_value?: string;
          current_value_number?: never;
          custom_fields?: NonNullable<Json>;
          demand?: string;
          id?: string;
          image_url?: string | null;
          is_permanent?: boolean;
          name: string;
          permanent_high?: string | null;
          permanent_low?: string | null;
          permanent_previous_value?: string | null;
          permanent_previous_value_number?: never;
          permanent_value?: string | null;
          permanent_value_number?: never;
          previous_value?: string;
          previous_value_number?: never;
          rarity?: string;
          robux_price?: string | null;
          robux_price_number?: never;
          slug: string;
          status?: string | null;
          type?: string;
          updated_at?: string;
          values_checked_at?: string;
        };
        Update: {
          aliases?: string;
          beli_price?: string | null;
          beli_price_number?: never;
          category_id?: string | null;
          change_reason?: string | null;
          created_at?: string;
          current_high?: string | null;
          current_low?: string | null;
          current_value?: string;
          current_value_number?: never;
          custom_fields?: NonNullable<Json>;
          demand?: string;
          id?: string;
          image_url?: string | null;
          is_permanent?: boolean;
          name?: string;
          permanent_high?: string | null;
          permanent_low?: string | null;
          permanent_previous_value?: string | null;
          permanent_previous_value_number?: never;
          permanent_value?: string | null;
          permanent_value_number?: never;
          previous_value?: string;
          previous_value_number?: never;
          rarity?: string;
          robux_price?: string | null;
          robux_price_number?: never;
          slug?: string;
          status?: string | null;
          type?: string;
          updated_at?: string;
          values_checked_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: "items_category_id_fkey";
            columns: ["category_id"];
            isOneToOne: false;
            referencedRelation: "categories";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "items_status_fkey";
            columns: ["status"];
            isOneToOne: false;
            referencedRelation: "status_words";
            referencedColumns: ["word"];
          },
        ];
      };
      notice_mails: {
        Row: {
          mailed_at: string | null;
          told_to: number;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          mailed_at?: string | null;
          told_to?: number;
          user_id?: string;
        };
        Update: {
          mailed_at?: string | null;
          told_to?: number;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "notice_mails_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: true;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      page_configurations: {
        Row: {
          id: string;
          page_name: string;
          updated_at: string;
          visible_fields: string[];
        };
        ComputedFields: never;
        Insert: {
          id?: string;
          page_name: string;
          updated_at?: string;
          visible_fields?: string[];
        };
        Update: {
          id?: string;
          page_name?: string;
          updated_at?: string;
          visible_fields?: string[];
        };
        Relationships: [];
      };
      profiles: {
        Row: {
          avatar_url: string | null;
          id: string;
          listed: boolean;
          rating_count: number;
          rating_score: number;
          rating_sum: number;
          username: string;
        };
        ComputedFields: never;
        Insert: {
          avatar_url?: string | null;
          id: string;
          listed?: boolean;
          rating_count?: number;
          rating_score?: never;
          rating_sum?: number;
          username: string;
        };
        Update: {
          avatar_url?: string | null;
          id?: string;
          listed?: boolean;
          rating_count?: number;
          rating_score?: never;
          rating_sum?: number;
          username?: string;
        };
        Relationships: [];
      };
      quick_phrases: {
        Row: {
          id: string;
          phrase: string;
          place: number;
          theme: string;
        };
        ComputedFields: never;
        Insert: {
          id: string;
          phrase: string;
          place?: number;
          theme: string;
        };
        Update: {
          id?: string;
          phrase?: string;
          place?: number;
          theme?: string;
        };
        Relationships: [];
      };
      reports: {
        Row: {
          code: string;
          created_at: string;
          evidence: string;
          id: string;
          kind: string;
          message_id: string | null;
          outcome: string | null;
          reason: string | null;
          reported_user_id: string | null;
          reporter_id: string | null;
          resolved_at: string | null;
          resolved_by: string | null;
          sanction_id: string | null;
          sent_at: string | null;
          subject_id: string;
        };
        ComputedFields: never;
        Insert: {
          code?: string;
          created_at?: string;
          evidence?: string;
          id?: string;
          kind?: string;
          message_id?: string | null;
          outcome?: string | null;
          reason?: string | null;
          reported_user_id?: string | null;
          reporter_id?: string | null;
          resolved_at?: string | null;
          resolved_by?: string | null;
          sanction_id?: string | null;
          sent_at?: string | null;
          subject_id: string;
        };
        Update: {
          code?: string;
          created_at?: string;
          evidence?: string;
          id?: string;
          kind?: string;
          message_id?: string | null;
          outcome?: string | null;
          reason?: string | null;
          reported_user_id?: string | null;
          reporter_id?: string | null;
          resolved_at?: string | null;
          resolved_by?: string | null;
          sanction_id?: string | null;
          sent_at?: string | null;
          subject_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "reports_message_id_fkey";
            columns: ["message_id"];
            isOneToOne: false;
            referencedRelation: "chat_messages";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "reports_message_id_fkey";
            columns: ["message_id"];
            isOneToOne: false;
            referencedRelation: "shown_chat_messages";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "reports_reported_user_id_fkey";
            columns: ["reported_user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "reports_reporter_id_fkey";
            columns: ["reporter_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "reports_resolved_by_fkey";
            columns: ["resolved_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "reports_sanction_id_fkey";
            columns: ["sanction_id"];
            isOneToOne: false;
            referencedRelation: "sanctions";
            referencedColumns: ["id"];
          },
        ];
      };
      sanctions: {
        Row: {
          appeal_key: string;
          code: string;
          counts_until: string;
          created_at: string;
          created_by: string | null;
          done_at: string | null;
          id: string;
          kind: string;
          lifted_at: string | null;
          lifted_by: string | null;
          reason: string;
          removed: string | null;
          report_id: string | null;
          subject_id: string | null;
          until: string | null;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          appeal_key?: string;
          code: string;
          counts_until?: string;
          created_at?: string;
          created_by?: string | null;
          done_at?: string | null;
          id?: string;
          kind: string;
          lifted_at?: string | null;
          lifted_by?: string | null;
          reason: string;
          removed?: string | null;
          report_id?: string | null;
          subject_id?: string | null;
          until?: string | null;
          user_id: string;
        };
        Update: {
          appeal_key?: string;
          code?: string;
          counts_until?: string;
          created_at?: string;
          created_by?: string | null;
          done_at?: string | null;
          id?: string;
          kind?: string;
          lifted_at?: string | null;
          lifted_by?: string | null;
          reason?: string;
          removed?: string | null;
          report_id?: string | null;
          subject_id?: string | null;
          until?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "sanctions_created_by_fkey";
            columns: ["created_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "sanctions_lifted_by_fkey";
            columns: ["lifted_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "sanctions_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      second_opinions: {
        Row: {
          asked_at: string;
          asked_by: string;
          id: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          asked_at?: string;
          asked_by?: string;
          id?: string;
          user_id: string;
        };
        Update: {
          asked_at?: string;
          asked_by?: string;
          id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "second_opinions_asked_by_fkey";
            columns: ["asked_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "second_opinions_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: true;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      status_words: {
        Row: {
          place: number;
          word: string;
        };
        ComputedFields: never;
        Insert: {
          place?: number;
          word: string;
        };
        Update: {
          place?: number;
          word?: string;
        };
        Relationships: [];
      };
      trade_history: {
        Row: {
          created_at: string;
          has_unpriced: boolean;
          id: string;
          their_items: NonNullable<Json>;
          their_total: number;
          trade_partner_email: string | null;
          user_id: string;
          version: number;
          your_items: NonNullable<Json>;
          your_total: number;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          has_unpriced?: boolean;
          id?: string;
          their_items: NonNullable<Json>;
          their_total?: number;
          trade_partner_email?: string | null;
          user_id?: string;
          version?: number;
          your_items: NonNullable<Json>;
          your_total?: number;
        };
        Update: {
          created_at?: string;
          has_unpriced?: boolean;
          id?: string;
          their_items?: NonNullable<Json>;
          their_total?: number;
          trade_partner_email?: string | null;
          user_id?: string;
          version?: number;
          your_items?: NonNullable<Json>;
          your_total?: number;
        };
        Relationships: [
          {
            foreignKeyName: "trade_history_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      user_ratings: {
        Row: {
          answer: string | null;
          answered_at: string | null;
          comment: string | null;
          created_at: string;
          id: string;
          rated_user_id: string;
          rater_id: string;
          rating: number;
        };
        ComputedFields: never;
        Insert: {
          answer?: string | null;
          answered_at?: string | null;
          comment?: string | null;
          created_at?: string;
          id?: string;
          rated_user_id: string;
          rater_id?: string;
          rating: number;
        };
        Update: {
          answer?: string | null;
          answered_at?: string | null;
          comment?: string | null;
          created_at?: string;
          id?: string;
          rated_user_id?: string;
          rater_id?: string;
          rating?: number;
        };
        Relationships: [
          {
            foreignKeyName: "user_ratings_rated_user_id_fkey";
            columns: ["rated_user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "user_ratings_rater_id_fkey";
            columns: ["rater_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      user_roles: {
        Row: {
          created_at: string;
          role: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          role: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          role?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      value_proposals: {
        Row: {
          after: Json | null;
          before: Json | null;
          change_percent: number | null;
          decided_at: string | null;
          decided_by: string | null;
          decision_note: string | null;
          evidence_url: string | null;
          field: string;
          id: number;
          item_id: string;
          new_value: string | null;
          note: string;
          old_value: string | null;
          picture: string | null;
          proposed_as: string | null;
          proposed_at: string;
          proposed_by: string | null;
          published_at: string | null;
          reason_code: string;
          set_id: string | null;
          state: string;
          why: string | null;
        };
        ComputedFields: never;
        Insert: {
          after?: Json | null;
          before?: Json | null;
          change_percent?: never;
          decided_at?: string | null;
          decided_by?: string | null;
          decision_note?: string | null;
          evidence_url?: string | null;
          field: string;
          id?: never;
          item_id: string;
          new_value?: string | null;
          note?: string;
          old_value?: string | null;
          picture?: string | null;
          proposed_as?: string | null;
          proposed_at?: string;
          proposed_by?: string | null;
          published_at?: string | null;
          reason_code: string;
          set_id?: string | null;
          state: string;
          why?: string | null;
        };
        Update: {
          after?: Json | null;
          before?: Json | null;
          change_percent?: never;
          decided_at?: string | null;
          decided_by?: string | null;
          decision_note?: string | null;
          evidence_url?: string | null;
          field?: string;
          id?: never;
          item_id?: string;
          new_value?: string | null;
          note?: string;
          old_value?: string | null;
          picture?: string | null;
          proposed_as?: string | null;
          proposed_at?: string;
          proposed_by?: string | null;
          published_at?: string | null;
          reason_code?: string;
          set_id?: string | null;
          state?: string;
          why?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "value_proposals_decided_by_fkey";
            columns: ["decided_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "value_proposals_item_id_fkey";
            columns: ["item_id"];
            isOneToOne: false;
            referencedRelation: "items";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "value_proposals_proposed_by_fkey";
            columns: ["proposed_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "value_proposals_reason_code_fkey";
            columns: ["reason_code"];
            isOneToOne: false;
            referencedRelation: "value_reasons";
            referencedColumns: ["code"];
          },
          {
            foreignKeyName: "value_proposals_set_id_fkey";
            columns: ["set_id"];
            isOneToOne: false;
            referencedRelation: "value_sets";
            referencedColumns: ["id"];
          },
        ];
      };
      value_reasons: {
        Row: {
          code: string;
          is_offered: boolean;
          label: string;
          place: number;
        };
        ComputedFields: never;
        Insert: {
          code: string;
          is_offered?: boolean;
          label: string;
          place?: number;
        };
        Update: {
          code?: string;
          is_offered?: boolean;
          label?: string;
          place?: number;
        };
        Relationships: [];
      };
      value_sets: {
        Row: {
          created_at: string;
          created_by: string | null;
          fault: string | null;
          id: string;
          name: string | null;
          planned_for: string | null;
          published_at: string | null;
          published_by: string | null;
          rolled_back_at: string | null;
          rolled_back_by: string | null;
          state: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          created_by?: string | null;
          fault?: string | null;
          id?: string;
          name?: string | null;
          planned_for?: string | null;
          published_at?: string | null;
          published_by?: string | null;
          rolled_back_at?: string | null;
          rolled_back_by?: string | null;
          state?: string;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          fault?: string | null;
          id?: string;
          name?: string | null;
          planned_for?: string | null;
          published_at?: string | null;
          published_by?: string | null;
          rolled_back_at?: string | null;
          rolled_back_by?: string | null;
          state?: string;
        };
        Relationships: [
          {
            foreignKeyName: "value_sets_created_by_fkey";
            columns: ["created_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "value_sets_published_by_fkey";
            columns: ["published_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "value_sets_rolled_back_by_fkey";
            columns: ["rolled_back_by"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      word_requests: {
        Row: {
          allowed_at: string | null;
          count: number;
          first_asked_at: string;
          last_asked_at: string;
          refused_at: string | null;
          word: string;
        };
        ComputedFields: never;
        Insert: {
          allowed_at?: string | null;
          count?: number;
          first_asked_at?: string;
          last_asked_at?: string;
          refused_at?: string | null;
          word: string;
        };
        Update: {
          allowed_at?: string | null;
          count?: number;
          first_asked_at?: string;
          last_asked_at?: string;
          refused_at?: string | null;
          word?: string;
        };
        Relationships: [];
      };
      work_skips: {
        Row: {
          editor_id: string;
          item_id: string;
          skipped_at: string;
          skipped_on: string;
        };
        ComputedFields: never;
        Insert: {
          editor_id?: string;
          item_id: string;
          skipped_at?: string;
          skipped_on?: string;
        };
        Update: {
          editor_id?: string;
          item_id?: string;
          skipped_at?: string;
          skipped_on?: string;
        };
        Relationships: [
          {
            foreignKeyName: "work_skips_editor_id_fkey";
            columns: ["editor_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "work_skips_item_id_fkey";
            columns: ["item_id"];
            isOneToOne: false;
            referencedRelation: "items";
            referencedColumns: ["id"];
          },
        ];
      };
    };
    Views: {
      chat_reports: {
        Row: {
          created_at: string;
          id: string;
          message: string;
          message_id: string | null;
          reason: string | null;
          reported_message_id: string;
          reported_user_id: string | null;
          reporter_id: string | null;
          resolved_at: string | null;
          sent_at: string | null;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string | null;
          id?: string | null;
          message?: string | null;
          message_id?: string | null;
          reason?: string | null;
          reported_message_id?: string | null;
          reported_user_id?: string | null;
          reporter_id?: string | null;
          resolved_at?: string | null;
          sent_at?: string | null;
        };
        Update: {
          created_at?: string | null;
          id?: string | null;
          message?: string | null;
          message_id?: string | null;
          reason?: string | null;
          reported_message_id?: string | null;
          reported_user_id?: string | null;
          reporter_id?: string | null;
          resolved_at?: string | null;
          sent_at?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "reports_message_id_fkey";
            columns: ["message_id"];
            isOneToOne: false;
            referencedRelation: "chat_messages";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "reports_message_id_fkey";
            columns: ["message_id"];
            isOneToOne: false;
            referencedRelation: "shown_chat_messages";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "reports_reported_user_id_fkey";
            columns: ["reported_user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "reports_reporter_id_fkey";
            columns: ["reporter_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
      shown_chat_messages: {
        Row: {
          created_at: string;
          id: string;
          items: string | null;
          mentions: string[] | null;
          message: string;
          phrase: string | null;
          reactions: Json | null;
          reply_to: string | null;
          trade: string | null;
          user_id: string;
          username: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string | null;
          id?: string | null;
          items?: string | null;
          mentions?: string[] | null;
          message?: string | null;
          phrase?: string | null;
          reactions?: never;
          reply_to?: string | null;
          trade?: string | null;
          user_id?: string | null;
          username?: string | null;
        };
        Update: {
          created_at?: string | null;
          id?: string | null;
          items?: string | null;
          mentions?: string[] | null;
          message?: string | null;
          phrase?: string | null;
          reactions?: never;
          reply_to?: string | null;
          trade?: string | null;
          user_id?: string | null;
          username?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "chat_messages_user_id_fkey";
            columns: ["user_id"];
            isOneToOne: false;
            referencedRelation: "profiles";
            referencedColumns: ["id"];
          },
        ];
      };
    };
    Functions: {
      allow_word: { Args: { seen?: string; word: string }; Returns: undefined };
      answer_rating: { Args: { answer: string; rating_id: string }; Returns: undefined };
      appeal_ban: { Args: { key: string; message: string }; Returns: undefined };
      approve_proposals: {
        Args: { ids: number[]; note?: string };
        Returns: {
          id: number;
          outcome: string;
          set_id: string;
          why: string;
        }[];
      };
      ask_for_word: { Args: { word: string }; Returns: string };
      ask_parent: { Args: { email: string }; Returns: undefined };
      choose_age_band: { Args: { band: string; list_me?: boolean }; Returns: string };
      count_moderation: {
        Args: Record<PropertyKey, never>;
        Returns: {
          acted_on: number;
          appeals: number;
          appeals_granted: number;
          median_minutes: number;
          month: string;
          reports: number;
        }[];
      };
      create_value_set: { Args: { id?: string; name: string }; Returns: string };
      decide_as_parent: { Args: { decision: string; key: string }; Returns: string };
      delete_as_parent: { Args: { key: string }; Returns: undefined };
      delete_own_account: { Args: Record<PropertyKey, never>; Returns: undefined };
      discard_value_set: { Args: { set_id: string }; Returns: undefined };
      draft_values: {
        Args: {
          cells: Json;
          evidence_url?: string;
          note: string;
          picture?: string;
          reason_code: string;
          set_id: string;
        };
        Returns: {
          field: string;
          item_id: string;
          outcome: string;
          why: string;
        }[];
      };
      end_own_session: { Args: { session_id: string }; Returns: boolean };
      export_as_parent: { Args: { key: string }; Returns: Json };
      find_own_username_fault: { Args: Record<PropertyKey, never>; Returns: string };
      import_items: {
        Args: { changes: Json; import_id?: string; reason?: string };
        Returns: {
          aliases: string;
          beli_price: string | null;
          beli_price_number: number | null;
          category_id: string | null;
          change_reason: string | null;
          created_at: string;
          current_high: string | null;
          current_low: string | null;
          current_value: string;
          current_value_number: number | null;
          custom_fields: NonNullable<Json>;
          demand: string;
          id: string;
          image_url: string | null;
          is_permanent: boolean;
          name: string;
          permanent_high: string | null;
          permanent_low: string | null;
          permanent_previous_value: string | null;
          permanent_previous_value_number: number | null;
          permanent_value: string | null;
          permanent_value_number: number | null;
          previous_value: string;
          previous_value_number: number | null;
          rarity: string;
          robux_price: string | null;
          robux_price_number: number | null;
          slug: string;
          status: string | null;
          type: string;
          updated_at: string;
          values_checked_at: string;
        }[];
        SetofOptions: {
          from: "*";
          to: "items";
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      is_under_strikes: { Args: Record<PropertyKey, never>; Returns: boolean };
      list_changes: {
        Args: {
          before?: string;
          item_like?: string;
          most?: number;
          of_category?: string;
          of_kind?: string;
          of_mode?: string;
          of_size?: number;
        };
        Returns: {
          change_percent: number;
          changed_as: string;
          changed_at: string;
          editor_name: string;
          evidence_url: string;
          id: number;
          is_seconded: boolean;
          item_image: string;
          item_name: string;
          item_slug: string;
          kind: string;
          mode: string;
          new_value: string;
          old_value: string;
          picture: string;
          reason: string;
          reason_label: string;
        }[];
      };
      list_chat_faces: {
        Args: { people: string[] };
        Returns: {
          avatar_url: string;
          id: string;
          listed: boolean;
        }[];
      };
      list_editor_days: {
        Args: { since: string };
        Returns: {
          changed: number;
          checked: number;
          editor_id: string;
          skipped: number;
          username: string;
        }[];
      };
      list_editor_names: {
        Args: Record<PropertyKey, never>;
        Returns: {
          id: string;
          username: string;
        }[];
      };
      list_item_sources: {
        Args: { of_item: string };
        Returns: {
          editor_name: string;
          id: number;
          kind: string;
          picture: string;
        }[];
      };
      list_known_words: {
        Args: { known_version?: string };
        Returns: {
          often: string;
          sometimes: string;
          version: string;
          words: string;
        }[];
      };
      list_own_account_log: {
        Args: Record<PropertyKey, never>;
        Returns: {
          action: string;
          created_at: string;
          ip: string;
        }[];
      };
      list_own_reports: {
        Args: Record<PropertyKey, never>;
        Returns: {
          code: string;
          created_at: string;
          evidence: string;
          id: string;
          kind: string;
          outcome: string;
          reason: string;
          resolved_at: string;
          sent_at: string;
          subject_id: string;
        }[];
      };
      list_own_requests: {
        Args: Record<PropertyKey, never>;
        Returns: {
          at: string;
          kind: string;
          what: string;
        }[];
      };
      list_own_sessions: {
        Args: Record<PropertyKey, never>;
        Returns: {
          created_at: string;
          id: string;
          ip: string;
          is_application: boolean;
          is_current: boolean;
          refreshed_at: string;
          user_agent: string;
        }[];
      };
      list_received_ratings: {
        Args: Record<PropertyKey, never>;
        Returns: {
          comment: string;
          created_at: string;
          id: string;
          rater: string;
          rating: number;
        }[];
      };
      list_silence_makers: {
        Args: { people: string[] };
        Returns: {
          user_id: string;
          username: string;
        }[];
      };
      list_traders: {
        Args: { page?: number; search?: string; sort?: string };
        Returns: {
          avatar_url: string;
          id: string;
          rating_count: number;
          rating_sum: number;
          recent_ratings: Json;
          total: number;
          username: string;
        }[];
      };
      list_value_changes: {
        Args: { item: string };
        Returns: {
          changed_as: string;
          changed_at: string;
          changed_by_name: string;
          editor_name: string;
          evidence_url: string;
          id: number;
          is_seconded: boolean;
          mode: string;
          new_previous_value: string;
          new_value: string;
          old_checked_at: string;
          old_previous_value: string;
          old_value: string;
          picture: string;
          reason: string;
          reason_code: string;
          reason_label: string;
        }[];
      };
      list_value_ranges: {
        Args: { ids?: string[] };
        Returns: {
          confidence: string;
          game_update: string;
          high: number;
          is_set: boolean;
          item_id: string;
          low: number;
          mode: string;
          observations: number;
          spread: number;
          volatile_until: string;
        }[];
      };
      list_waiting_pictures: {
        Args: Record<PropertyKey, never>;
        Returns: {
          changes: number;
          field: string;
          item_name: string;
          new_value: string;
          note: string;
          old_value: string;
          path: string;
          uploaded_at: string;
          uploaded_by: string;
        }[];
      };
      list_work: {
        Args: { most?: number };
        Returns: {
          due: number;
          game_update: string;
          item_id: string;
          score: number;
          spread: number;
          traders: number;
          views: number;
          waiting: number;
          weeks: number;
        }[];
      };
      mail_contact_message: {
        Args: { body_html: string; body_text: string; message_id: string; subject: string };
        Returns: boolean;
      };
      mark_game_update: {
        Args: {
          happened_at?: string;
          id?: string;
          items: string[];
          name: string;
          volatile_until?: string;
          was?: string;
        };
        Returns: string;
      };
      may_operate: { Args: Record<PropertyKey, never>; Returns: boolean };
      measure_accuracy: {
        Args: { days: number };
        Returns: {
          category: string;
          median_error: number;
          published_values: number;
          trades: number;
        }[];
      };
      order_categories: { Args: { ids: string[] }; Returns: undefined };
      plan_value_set: { Args: { planned_for: string; set_id: string }; Returns: number };
      publish_value_set: { Args: { set_id: string }; Returns: number };
      publish_values: {
        Args: { cells: Json; evidence_url?: string; note: string; picture?: string; reason_code: string };
        Returns: {
          field: string;
          item_id: string;
          outcome: string;
          set_id: string;
          why: string;
        }[];
      };
      refuse_word: { Args: { seen?: string; word: string }; Returns: undefined };
      reject_proposals: {
        Args: { ids: number[]; note: string };
        Returns: {
          id: number;
          outcome: string;
        }[];
      };
      renew_parent_link: { Args: { email: string }; Returns: undefined };
      reopen_word: { Args: { seen?: string; word: string }; Returns: undefined };
      restore_item: {
        Args: { item_id: string };
        Returns: {
          aliases: string;
          beli_price: string | null;
          beli_price_number: number | null;
          category_id: string | null;
          change_reason: string | null;
          created_at: string;
          current_high: string | null;
          current_low: string | null;
          current_value: string;
          current_value_number: number | null;
          custom_fields: NonNullable<Json>;
          demand: string;
          id: string;
          image_url: string | null;
          is_permanent: boolean;
          name: string;
          permanent_high: string | null;
          permanent_low: string | null;
          permanent_previous_value: string | null;
          permanent_previous_value_number: number | null;
          permanent_value: string | null;
          permanent_value_number: number | null;
          previous_value: string;
          previous_value_number: number | null;
          rarity: string;
          robux_price: string | null;
          robux_price_number: number | null;
          slug: string;
          status: string | null;
          type: string;
          updated_at: string;
          values_checked_at: string;
        }[];
        SetofOptions: {
          from: "*";
          to: "items";
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      roll_back_value_set: { Args: { note?: string; set_id: string }; Returns: number };
      set_age_band: { Args: { band: string; person: string }; Returns: undefined };
      show_ban: {
        Args: { key: string };
        Returns: {
          answer: string;
          appeal: string;
          created_at: string;
          granted: boolean;
          lifted: boolean;
          reason: string;
          until: string;
        }[];
      };
      show_forced_name: {
        Args: Record<PropertyKey, never>;
        Returns: {
          by_moderator: boolean;
          reason: string;
        }[];
      };
      show_own_standing: {
        Args: Record<PropertyKey, never>;
        Returns: {
          age_limit: number;
          asked_at: string;
          band: string;
          parent: string;
          standing: string;
          uploads: boolean;
        }[];
      };
      show_to_parent: {
        Args: { key: string };
        Returns: {
          changed_at: string;
          expires_at: string;
          listed: boolean;
          state: string;
          username: string;
        }[];
      };
      show_trader: {
        Args: { page?: number; username: string };
        Returns: {
          avatar_url: string;
          id: string;
          rating_count: number;
          rating_sum: number;
          ratings: Json;
          stars: number[];
          trader_name: string;
        }[];
      };
      suggest_usernames: { Args: Record<PropertyKey, never>; Returns: string[] };
      undo_import: {
        Args: { import_id: string };
        Returns: {
          aliases: string;
          beli_price: string | null;
          beli_price_number: number | null;
          category_id: string | null;
          change_reason: string | null;
          created_at: string;
          current_high: string | null;
          current_low: string | null;
          current_value: string;
          current_value_number: number | null;
          custom_fields: NonNullable<Json>;
          demand: string;
          id: string;
          image_url: string | null;
          is_permanent: boolean;
          name: string;
          permanent_high: string | null;
          permanent_low: string | null;
          permanent_previous_value: string | null;
          permanent_previous_value_number: number | null;
          permanent_value: string | null;
          permanent_value_number: number | null;
          previous_value: string;
          previous_value_number: number | null;
          rarity: string;
          robux_price: string | null;
          robux_price_number: number | null;
          slug: string;
          status: string | null;
          type: string;
          updated_at: string;
          values_checked_at: string;
        }[];
        SetofOptions: {
          from: "*";
          to: "items";
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      undo_value_change: {
        Args: { change_id: number; reason?: string };
        Returns: {
          aliases: string;
          beli_price: string | null;
          beli_price_number: number | null;
          category_id: string | null;
          change_reason: string | null;
          created_at: string;
          current_high: string | null;
          current_low: string | null;
          current_value: string;
          current_value_number: number | null;
          custom_fields: NonNullable<Json>;
          demand: string;
          id: string;
          image_url: string | null;
          is_permanent: boolean;
          name: string;
          permanent_high: string | null;
          permanent_low: string | null;
          permanent_previous_value: string | null;
          permanent_previous_value_number: number | null;
          permanent_value: string | null;
          permanent_value_number: number | null;
          previous_value: string;
          previous_value_number: number | null;
          rarity: string;
          robux_price: string | null;
          robux_price_number: number | null;
          slug: string;
          status: string | null;
          type: string;
          updated_at: string;
          values_checked_at: string;
        }[];
        SetofOptions: {
          from: "*";
          to: "items";
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      withdraw_proposals: { Args: { ids: number[] }; Returns: number };
    };
    Enums: {
      [_ in never]: never;
    };
    CompositeTypes: {
      [_ in never]: never;
    };
  };
};

type DatabaseWithoutInternals = Omit<Database, "__InternalSupabase">;

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">];

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R;
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    ? (DefaultSchema["Tables"] & DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R;
      }
      ? R
      : never
    : never;

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I;
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I;
      }
      ? I
      : never
    : never;

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U;
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U;
      }
      ? U
      : never
    : never;

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never = never,
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
    ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
    : never;

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never = never,
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
    ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
    : never;

export const Constants = {
  public: {
    Enums: {},
  },
} as const;
